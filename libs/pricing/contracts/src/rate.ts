import { type CardItem, itemsOf } from './card-items';
import { formatDecimal, divideHalfEven, PRICE_PLACES, QUANTITY_PLACES, parseDecimal } from './decimals';
import type { UsageCard } from './pricing-statement';
import { quantityOf, type Usage, usageFaults } from './usage';

/** One line of an invoice or of an estimate. */
export interface RatedLine {
  readonly item: CardItem;
  /** Of the item's unit, in 10⁻⁶. */
  readonly quantity: bigint;
  /** After rounding, in cents; 0 where the trial waives it. */
  readonly cents: bigint;
  readonly isWaived: boolean;
}

/** What a usage costs, all in cents: the total is the lines, less what is included and what the trial covers. */
export interface Rating {
  readonly lines: readonly RatedLine[];
  readonly includedCents: bigint;
  readonly trialCoveredCents: bigint;
  readonly totalCents: bigint;
}

/** An account in its trial. */
export interface Trial {
  /** What it has covered already, in cents. */
  readonly coveredCents: bigint;
}

/** A price times a quantity has 15 places; a cent is 2 of them. */
const CENT = 10n ** BigInt(PRICE_PLACES + QUANTITY_PLACES - 2);

/**
 * Rates what an account used in a month. It is the one place where prices become amounts: charging, the estimate of the
 * API and the estimator of the client all call it. Exact: no floating point; each line is rounded half-even to the cent.
 * @param trial absent: the account is in none.
 * @throws {RangeError} when it is no usage of this card; `usageFaults` says all that is wrong with it.
 */
export function rate(usage: Usage, card: UsageCard, trial?: Trial): Rating {
  const lines = linesOf(usage, card, trial !== undefined);
  const gross = sum(lines);
  const included = least(sum(lines.filter(({ item }) => item.group === 'meters')), centsOf(card.includedUsd));
  const due = gross - included;
  const trialCovered = trial ? least(due, atLeastZero(centsOf(card.trial.capUsd) - trial.coveredCents)) : 0n;
  return { lines, includedCents: included, trialCoveredCents: trialCovered, totalCents: due - trialCovered };
}

function linesOf(usage: Usage, card: UsageCard, inTrial: boolean): RatedLine[] {
  const items = itemsOf(card);
  const lines = items.flatMap((item) => {
    const quantities = usage[item.group];
    if (!quantities || !Object.hasOwn(quantities, item.id)) return [];
    const quantity = quantityOf(quantities[item.id]);
    const isWaived = inTrial && item.waivedInTrial;
    const cents = isWaived ? 0n : divideHalfEven(quantity * item.unitNanoUsd, CENT);
    return [{ item, quantity, cents, isWaived }];
  });
  // Something that has no line must not go unbilled without a word.
  const named = Object.values(usage).reduce((count, quantities) => count + Object.keys(quantities).length, 0);
  if (named !== lines.length) {
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

function sum(lines: readonly RatedLine[]): bigint {
  return lines.reduce((total, { cents }) => total + cents, 0n);
}

function least(one: bigint, other: bigint): bigint {
  return one < other ? one : other;
}

function atLeastZero(amount: bigint): bigint {
  return amount > 0n ? amount : 0n;
}
