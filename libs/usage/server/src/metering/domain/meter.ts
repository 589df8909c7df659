import { divideHalfEven } from '@homeport/pricing/contracts';
import type { BillingPeriod } from '@homeport/usage/contracts';

/** How Homeport measures an item of the usage card. */
export interface Meter {
  /** The id of the item. */
  readonly item: string;
  /**
   * - `count`: recorded quantities add up.
   * - `level`: a level is recorded for each hour, and the billed quantity is its average over the hours of the month.
   */
  readonly aggregation: 'count' | 'level';
  /** Recorded units in one unit of the item, such as 10⁹ bytes in a GB. */
  readonly recordedPerUnit: bigint;
}

/** What Homeport measures itself. Products report the other items of the card; those count as billed. */
export const METERS = [
  { item: 'gateway-call', aggregation: 'count', recordedPerUnit: 1n },
  { item: 'storage', aggregation: 'level', recordedPerUnit: 1_000_000_000n },
  { item: 'secret', aggregation: 'level', recordedPerUnit: 1n },
  { item: 'standard', aggregation: 'level', recordedPerUnit: 1n },
  { item: 'premium', aggregation: 'level', recordedPerUnit: 1n },
] as const satisfies readonly Meter[];

export type MeteredItem = (typeof METERS)[number]['item'];

/** The meter of an item; reported items count. */
export function meterOf(item: string): Meter {
  return METERS.find((meter) => meter.item === item) ?? { item, aggregation: 'count', recordedPerUnit: 1n };
}

export function isMetered(item: string): boolean {
  return METERS.some((meter) => meter.item === item);
}

/**
 * Converts the recorded quantity of a month to the billed quantity.
 * @param recorded in 10⁻⁶ recorded units; of a level, the sum over the hours.
 * @returns in 10⁻⁶ units of the item, rounded half-even.
 */
export function billedQuantity(
  recorded: bigint,
  { aggregation, recordedPerUnit }: Meter,
  period: BillingPeriod,
): bigint {
  return divideHalfEven(recorded, recordedPerUnit * (aggregation === 'level' ? BigInt(period.hours) : 1n));
}
