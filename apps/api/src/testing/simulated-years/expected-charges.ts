/**
 * What organizations must pay, computed from the catalog and the accepted usage without code of the product: instants in
 * milliseconds, quantities in 10⁻⁶, prices in 10⁻⁹ USD.
 */
import type { CardFields } from '@homeport/pricing/server/testing';
import { CARDS } from './cards';

const HOUR = 3_600_000;
const GRACE = 24 * HOUR;
/** Recorded for each hour and billed as the average, with the recorded units in one unit. */
const LEVELS: Readonly<Record<string, bigint>> = {
  storage: 1_000_000_000n,
  secret: 1n,
  standard: 1n,
  premium: 1n,
};

/** Whether levels of the item are recorded, which are billed as an average. */
export function isLevel(item: string): boolean {
  return LEVELS[item] !== undefined;
}

export interface AcceptedUse {
  readonly organization: string;
  readonly item: string;
  readonly at: number;
  readonly quantity: bigint;
  /** When the product accepted it. */
  readonly arrivedAt: number;
}

export interface ExpectedLine {
  readonly item: string;
  readonly quantity: bigint;
  readonly late: bigint;
  readonly cents: bigint;
  readonly isInTrial: boolean;
  readonly isWaived: boolean;
}

export interface ExpectedCharge {
  readonly period: string;
  readonly card: string;
  readonly lines: readonly ExpectedLine[];
  readonly includedCents: bigint;
  readonly coveredCents: bigint;
  readonly totalCents: bigint;
}

interface Item {
  readonly id: string;
  readonly price: bigint;
  readonly isMeter: boolean;
  readonly isWaived: boolean;
}

interface Month {
  readonly start: number;
  readonly end: number;
}

/** The card of an account; undefined for an account that is older than all cards. */
export function cardAt(createdAt: number): CardFields | undefined {
  return CARDS.findLast(({ newSignupsFrom }) => Date.parse(newSignupsFrom as string) <= createdAt);
}

/** The first hour that the trial does not cover. */
export function trialEnd(createdAt: number, card: CardFields): number {
  const { days } = card['trial'] as { readonly days: number };
  return Math.ceil((createdAt + days * 24 * HOUR) / HOUR) * HOUR;
}

export function itemIds(card: CardFields): string[] {
  return itemsOf(card).map(({ id }) => id);
}

function itemsOf(card: CardFields): Item[] {
  const { standardUsd, premiumUsd } = card['domains'] as Readonly<Record<string, string>>;
  const other = (id: string, usd: string | undefined) => ({
    ...{ id, price: scaled(usd as string, 9), isMeter: false, isWaived: false },
  });
  return [
    ...card.meters.map(({ id, unitUsd, waivedInTrial }) => ({
      ...{ id: id as string, price: scaled(unitUsd as string, 9), isMeter: true, isWaived: waivedInTrial === true },
    })),
    ...card.boxes.map(({ size, monthlyUsd }) => other(size as string, monthlyUsd as string)),
    ...[other('standard', standardUsd), other('premium', premiumUsd)],
    ...(card['free'] as readonly string[]).map((id) => ({ id, price: 0n, isMeter: true, isWaived: false })),
  ];
}

/**
 * @param uses of the account.
 * @param closings when months were closed, in order: each closed the months that had ended 24 hours before.
 */
export function expectedCharges(
  createdAt: number,
  uses: readonly AcceptedUse[],
  closings: readonly number[],
): ExpectedCharge[] {
  const card = cardAt(createdAt);
  if (!card) return [];
  const charges: ExpectedCharge[] = [];
  const last = Math.max(...closings) - GRACE;
  let coveredCents = 0n;
  for (let month = monthOf(createdAt); month.end <= last; month = monthOf(month.end)) {
    const counted = uses.filter((use) => countedIn(use, closings, createdAt) === month.start);
    const charge = chargeOf(counted, { card, month, trialEndsAt: trialEnd(createdAt, card), coveredCents });
    coveredCents += charge.coveredCents;
    charges.push(charge);
  }
  return charges;
}

/** The start of the month in which a use counts: its own or the first that was open; not before that of the account. */
function countedIn({ at, arrivedAt }: AcceptedUse, closings: readonly number[], createdAt: number): number {
  let month = monthOf(Math.max(at, monthOf(createdAt).start));
  while (closings.some((closing) => month.end + GRACE <= closing && closing <= arrivedAt)) month = monthOf(month.end);
  return month.start;
}

interface Terms {
  readonly card: CardFields;
  readonly month: Month;
  readonly trialEndsAt: number;
  /** What the trial covered before. */
  readonly coveredCents: bigint;
}

function chargeOf(uses: readonly AcceptedUse[], { card, month, trialEndsAt, coveredCents }: Terms): ExpectedCharge {
  const items = itemsOf(card);
  const inTrial = linesOf(
    uses.filter(({ at }) => at < trialEndsAt),
    { items, month, isInTrial: true },
  );
  const afterTrial = linesOf(
    uses.filter(({ at }) => at >= trialEndsAt),
    { items, month, isInTrial: false },
  );
  const meterCents = (lines: readonly ExpectedLine[]) =>
    sum(lines.filter(({ item }) => items.find(({ id }) => id === item)?.isMeter).map(({ cents }) => cents));
  const centsOf = (lines: readonly ExpectedLine[]) => sum(lines.map(({ cents }) => cents));
  const included = scaled(card['includedUsd'] as string, 2);
  const includedAfter = least(included, meterCents(afterTrial));
  const includedInTrial = least(included - includedAfter, meterCents(inTrial));
  const cap = scaled((card['trial'] as { readonly capUsd: string }).capUsd, 2);
  const covered = least(centsOf(inTrial) - includedInTrial, cap - coveredCents);
  return {
    period: new Date(month.start).toISOString().slice(0, 7),
    card: card.version,
    lines: [...inTrial, ...afterTrial],
    includedCents: includedAfter + includedInTrial,
    coveredCents: covered,
    totalCents: centsOf(inTrial) + centsOf(afterTrial) - includedAfter - includedInTrial - covered,
  };
}

interface LineTerms {
  readonly items: readonly Item[];
  readonly month: Month;
  readonly isInTrial: boolean;
}

function linesOf(uses: readonly AcceptedUse[], { items, month, isInTrial }: LineTerms): ExpectedLine[] {
  const hours = BigInt((month.end - month.start) / HOUR);
  return items.flatMap(({ id, price, isWaived }) => {
    const used = uses.filter(({ item }) => item === id);
    const divisor = LEVELS[id] === undefined ? 1n : LEVELS[id] * hours;
    const billed = (parts: readonly AcceptedUse[]) => halfEven(sum(parts.map(({ quantity }) => quantity)), divisor);
    const quantity = billed(used);
    if (quantity === 0n) return [];
    const isFree = isInTrial && isWaived;
    return [
      {
        ...{ item: id, quantity, isInTrial, isWaived: isFree },
        late: billed(used.filter(({ at }) => at < month.start)),
        cents: isFree ? 0n : halfEven(quantity * price, 10n ** 13n),
      },
    ];
  });
}

/** The month that contains an instant. */
export function monthOf(instant: number): Month {
  const date = new Date(instant);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  return { start: Date.UTC(year, month, 1), end: Date.UTC(year, month + 1, 1) };
}

/** A decimal as an integer of its smallest unit. */
export function scaled(decimal: string, places: number): bigint {
  const [whole, fraction = ''] = decimal.split('.');
  return BigInt(`${whole}${fraction.padEnd(places, '0')}`);
}

function halfEven(amount: bigint, divisor: bigint): bigint {
  const doubled = 2n * amount + divisor;
  const rounded = doubled / (2n * divisor);
  return doubled % (2n * divisor) === 0n && rounded % 2n === 1n ? rounded - 1n : rounded;
}

function sum(amounts: readonly bigint[]): bigint {
  return amounts.reduce((total, amount) => total + amount, 0n);
}

function least(one: bigint, other: bigint): bigint {
  return one < other ? one : other;
}
