import {
  formatDecimal,
  itemsOf,
  QUANTITY_PLACES,
  type SplitUsage,
  type Usage,
  type UsageCard,
} from '@homeport/pricing/contracts';
import type { BillingPeriod } from '@homeport/usage/contracts';
import type { RecordedUsage } from '../../metering/domain/recorded-usage';
import { billedQuantity, meterOf } from '../../metering/domain/meter';

/** The billed usage of a month. */
export interface MonthUsage {
  readonly usage: SplitUsage;
  /** The parts that were used in earlier months and recorded after their close. */
  readonly late: SplitUsage;
}

/** One billed quantity, in 10⁻⁶ units of the item. */
export interface BilledQuantity {
  readonly item: string;
  readonly inTrial: bigint;
  readonly afterTrial: bigint;
}

/** Converts recorded to billed quantities. */
export function billedQuantities(recorded: readonly RecordedUsage[], period: BillingPeriod): BilledQuantity[] {
  return recorded.map(({ item, inTrial, afterTrial }) => ({
    item,
    inTrial: billedQuantity(inTrial.total, meterOf(item), period),
    afterTrial: billedQuantity(afterTrial.total, meterOf(item), period),
  }));
}

/** Converts the parts that were used in earlier months. */
export function lateQuantities(recorded: readonly RecordedUsage[], period: BillingPeriod): BilledQuantity[] {
  return recorded.map(({ item, inTrial, afterTrial }) => ({
    item,
    inTrial: billedQuantity(inTrial.late, meterOf(item), period),
    afterTrial: billedQuantity(afterTrial.late, meterOf(item), period),
  }));
}

/** @throws {Error} for an item that is not on the card, because it would silently not be charged. */
export function monthUsage(recorded: readonly RecordedUsage[], card: UsageCard, period: BillingPeriod): MonthUsage {
  return {
    usage: splitUsage(billedQuantities(recorded, period), card),
    late: splitUsage(lateQuantities(recorded, period), card),
  };
}

/** Arranges quantities by the groups of the card, without quantities of 0. @throws {Error} like `monthUsage`. */
export function splitUsage(quantities: readonly BilledQuantity[], card: UsageCard): SplitUsage {
  return {
    inTrial: usageOf(quantities, card, ({ inTrial }) => inTrial),
    afterTrial: usageOf(quantities, card, ({ afterTrial }) => afterTrial),
  };
}

function usageOf(
  quantities: readonly BilledQuantity[],
  card: UsageCard,
  part: (quantity: BilledQuantity) => bigint,
): Usage {
  const usage: Record<string, Record<string, string>> = {};
  for (const quantity of quantities) {
    const amount = part(quantity);
    if (amount === 0n) continue;
    const item = itemsOf(card).find(({ id }) => id === quantity.item);
    if (!item) throw new Error(`The usage card ${card.version} has no item ${quantity.item}`);
    (usage[item.group] ??= {})[item.id] = formatDecimal(amount, QUANTITY_PLACES);
  }
  return usage;
}
