import { type CardItem, itemsOf } from './card-items';
import { formatDecimal, divideHalfEven, PRICE_PLACES, QUANTITY_PLACES, parseDecimal } from './decimals';
import type { UsageCard } from './pricing-statement';
import { type Quantity, quantityOf, type Usage, usageFaults } from './usage';

/** One line of an invoice or of an estimate. */
export interface RatedLine {
  readonly item: CardItem;
  /** In 10⁻⁶ of the item's unit. */
  readonly quantity: bigint;
  /** The rounded amount in cents; 0 when the trial waives the item. */
  readonly cents: bigint;
  readonly isWaived: boolean;
  /** Whether the quantity was used in the trial. */
  readonly isInTrial: boolean;
}

/** The cost of a usage in cents. The total is the sum of the lines minus included and trial-covered amounts. */
export interface Rating {
  readonly lines: readonly RatedLine[];
  readonly includedCents: bigint;
  readonly trialCoveredCents: bigint;
  readonly totalCents: bigint;
}

/** An account in its trial. */
export interface Trial {
  /** The amount that the trial has already covered, in cents. */
  readonly coveredCents: bigint;
}

/** One cent in the unit of price × quantity, which has 15 decimal places. */
const CENT = 10n ** BigInt(PRICE_PLACES + QUANTITY_PLACES - 2);

/** The usage of a month before and after the end of a trial. One part is empty in most months. */
export interface SplitUsage {
  readonly inTrial: Usage;
  readonly afterTrial: Usage;
}

/**
 * Rates the usage of a month that is completely in the trial or completely outside of it. The estimate of the API and
 * the estimator of the client call this function.
 * @param trial absent when the account is not in a trial.
 * @throws {RangeError} when the usage is not valid for this card; `usageFaults` lists all faults.
 */
export function rate(usage: Usage, card: UsageCard, trial?: Trial): Rating {
  return trial
    ? ratingOf({ inTrial: usage, afterTrial: {} }, { card, trial, parse: quantityOf })
    : ratingOf({ inTrial: {}, afterTrial: usage }, { card, trial: { coveredCents: 0n }, parse: quantityOf });
}

/**
 * Rates the usage of a month. Charging and the usage page call this function. It uses no floating point and rounds each
 * line half-even to the cent. The included amount reduces the lines after the trial first, because the trial covers the
 * others. Recorded quantities may be larger than those that callers may enter: the sum of a month has no limit.
 * @throws {RangeError} when the usage has an item that is not on this card.
 */
export function rateSplit(usage: SplitUsage, card: UsageCard, trial: Trial): Rating {
  return ratingOf(usage, { card, trial, parse: recordedQuantityOf });
}

/** Parses the sum of recorded quantities. */
export function recordedQuantityOf(value: Quantity): bigint {
  return parseDecimal(value, QUANTITY_PLACES);
}

interface RatingTerms {
  readonly card: UsageCard;
  readonly trial: Trial;
  readonly parse: (quantity: Quantity) => bigint;
}

function ratingOf({ inTrial, afterTrial }: SplitUsage, { card, trial: { coveredCents }, parse }: RatingTerms): Rating {
  const trialLines = linesOf(inTrial, card, { isInTrial: true, parse });
  const paidLines = linesOf(afterTrial, card, { isInTrial: false, parse });
  const includedAfterTrial = min(meterCents(paidLines), centsOf(card.includedUsd));
  const includedInTrial = min(meterCents(trialLines), centsOf(card.includedUsd) - includedAfterTrial);
  const due = sum(paidLines) - includedAfterTrial;
  const dueInTrial = sum(trialLines) - includedInTrial;
  const trialCoveredCents = min(dueInTrial, atLeastZero(centsOf(card.trial.capUsd) - coveredCents));
  return {
    lines: [...trialLines, ...paidLines],
    includedCents: includedAfterTrial + includedInTrial,
    trialCoveredCents,
    totalCents: due + dueInTrial - trialCoveredCents,
  };
}

function linesOf(
  usage: Usage,
  card: UsageCard,
  { isInTrial, parse }: Pick<RatedLine, 'isInTrial'> & Pick<RatingTerms, 'parse'>,
): RatedLine[] {
  const items = itemsOf(card);
  const lines = items.flatMap((item) => {
    const quantities = usage[item.group];
    if (!quantities || !Object.hasOwn(quantities, item.id)) return [];
    const quantity = parse(quantities[item.id] as Quantity);
    const isWaived = isInTrial && item.waivedInTrial;
    const cents = isWaived ? 0n : divideHalfEven(quantity * item.unitNanoUsd, CENT);
    return [{ item, quantity, cents, isWaived, isInTrial }];
  });
  // Every item of the usage must have a line; otherwise it would silently not be billed.
  const itemCount = Object.values(usage).reduce((count, quantities) => count + Object.keys(quantities).length, 0);
  if (itemCount !== lines.length) {
    throw new RangeError(
      usageFaults(usage, card)
        .map(({ field, reason }) => `${field} ${reason}`)
        .join('; '),
    );
  }
  return lines;
}

/** Cents as an amount of USD: 1234 is "12.34". */
export function centsToUsd(cents: bigint): string {
  return formatDecimal(cents, 2);
}

function centsOf(usd: number): bigint {
  return parseDecimal(usd, 2);
}

/** The cents of the lines that the included amount reduces. */
function meterCents(lines: readonly RatedLine[]): bigint {
  return sum(lines.filter(({ item }) => item.group === 'meters'));
}

function sum(lines: readonly RatedLine[]): bigint {
  return lines.reduce((total, { cents }) => total + cents, 0n);
}

function min(one: bigint, other: bigint): bigint {
  return one < other ? one : other;
}

function atLeastZero(amount: bigint): bigint {
  return amount > 0n ? amount : 0n;
}
