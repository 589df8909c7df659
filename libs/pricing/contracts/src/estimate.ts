import { formatDecimal, QUANTITY_PLACES } from './decimals';
import type { Quantity } from './usage';
import { type RatedLine, type Rating, centsToUsd } from './rate';

export interface EstimateLine {
  readonly id: string;
  readonly label: string;
  readonly unit: string;
  /** A decimal string when a number would lose digits. */
  readonly quantity: Quantity;
  readonly unitUsd: number;
  readonly amountUsd: number;
  readonly waived?: true;
}

/** The monthly cost of a usage, as the API returns it. */
export interface Estimate {
  /** The version of the pricing statement. */
  readonly version: string;
  readonly currency: 'USD';
  readonly lines: readonly EstimateLine[];
  readonly includedUsd: number;
  readonly trialCoveredUsd: number;
  readonly totalUsd: number;
}

export function estimateOf({ lines, ...amounts }: Rating, version: string): Estimate {
  return {
    version,
    currency: 'USD',
    lines: lines.map(lineOf),
    includedUsd: usd(amounts.includedCents),
    trialCoveredUsd: usd(amounts.trialCoveredCents),
    totalUsd: usd(amounts.totalCents),
  };
}

function lineOf({ item: { id, label, unit, unitUsd }, quantity, cents, isWaived }: RatedLine): EstimateLine {
  const line = { id, label, unit, quantity: numberOrText(quantity), unitUsd, amountUsd: usd(cents) };
  return isWaived ? { ...line, waived: true } : line;
}

function numberOrText(quantity: bigint): Quantity {
  const text = formatDecimal(quantity, QUANTITY_PLACES);
  return String(Number(text)) === text ? Number(text) : text;
}

function usd(cents: bigint): number {
  return Number(centsToUsd(cents));
}
