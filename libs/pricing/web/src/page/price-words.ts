import {
  type CardItem,
  decimalText,
  PRICE_PLACES,
  rate,
  scaled,
  type UsageCard,
  usdText,
} from '@homeport/pricing/contracts';

const LOCALE = 'en-US';
const USD = { style: 'currency', currency: 'USD' } as const;
const wholePrice = new Intl.NumberFormat(LOCALE, { ...USD, maximumFractionDigits: 0 });
const price = new Intl.NumberFormat(LOCALE, { ...USD, minimumFractionDigits: 2, maximumFractionDigits: PRICE_PLACES });
const amount = new Intl.NumberFormat(LOCALE, { ...USD, minimumFractionDigits: 2, maximumFractionDigits: 2 });
const plain = new Intl.NumberFormat(LOCALE, { maximumFractionDigits: 20 });
const moment = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' });
const day = new Intl.DateTimeFormat('en', { dateStyle: 'long', timeZone: 'UTC' });

/** Examples are powers of ten; no price needs more of them. */
const MOST_ZEROS = 12;
/** An amount that is worth an example, in cents. */
const TELLING = 100n;

/** A price with every digit it has: $25, $0.05, $0.0004. */
export function usd(unitUsd: number): string {
  const text = decimalText(scaled(unitUsd, PRICE_PLACES), PRICE_PLACES);
  return (text.includes('.') ? price : wholePrice).format(exact(text));
}

/** What is paid, to the cent: $4.00. */
export function usdOfCents(cents: bigint): string {
  return amount.format(exact(usdText(cents)));
}

/** A decimal for reading: 1,234.5. */
export function number(decimal: string): string {
  return plain.format(exact(decimal));
}

/** A unit for reading: "secret-month" is "secret a month". */
export function unitWords(unit: string): string {
  const { noun, period } = partsOf(unit);
  return period === undefined ? noun : `${noun} a ${period}`;
}

/** What one costs by, where it was named before: "a month", or "each". */
export function eachWords(unit: string): string {
  const { period } = partsOf(unit);
  return period === undefined ? 'each' : `a ${period}`;
}

/** How many of a unit: "10,000 calls", "1 GB". */
export function countWords(quantity: string, unit: string): string {
  return `${number(quantity)} ${manyOf(quantity, partsOf(unit).noun)}`;
}

/** What a plain number of it costs, as it would be charged: "10,000 gateway calls cost $4.00". */
export function exampleWords(item: CardItem, card: UsageCard): string {
  if (item.unitUsd === 0) return `${item.label} cost nothing`;
  for (let zeros = 0; ; zeros += 1) {
    const quantity = `1${'0'.repeat(zeros)}`;
    const cents = rate({ [item.group]: { [item.id]: quantity } }, card).lines[0]?.cents ?? 0n;
    if (cents < TELLING && zeros < MOST_ZEROS) continue;
    return `${things(quantity, item)} ${quantity === '1' ? 'costs' : 'cost'} ${usdOfCents(cents)}`;
  }
}

/** The day of an instant, where the statement counts: in UTC. */
export function dayWords(instant: string): string {
  const date = new Date(instant);
  return Number.isNaN(date.getTime()) ? instant : day.format(date);
}

/** A point in time, where the reader is. */
export function momentWords(at: Date): string {
  return moment.format(at);
}

function things(quantity: string, { label, unit }: CardItem): string {
  const { noun, period } = partsOf(unit);
  const name = label.charAt(0).toLowerCase() + label.slice(1);
  const isNamed = name.split(' ').at(-1) === noun;
  const what = isNamed ? manyOf(quantity, name) : `${manyOf(quantity, noun)} of ${name}`;
  return `${number(quantity)} ${what}${period === undefined ? '' : ` for a ${period}`}`;
}

function partsOf(unit: string): { readonly noun: string; readonly period: string | undefined } {
  const [, noun = unit, period] = /^(.+)-(month|day|year)$/.exec(unit) ?? [];
  return { noun: noun === 'gb' ? 'GB' : noun.replaceAll('-', ' '), period };
}

function manyOf(quantity: string, noun: string): string {
  if (quantity === '1' || noun === 'GB') return noun;
  if (/(s|x|ch|sh)$/.test(noun)) return `${noun}es`;
  return /[^aeiou]y$/.test(noun) ? `${noun.slice(0, -1)}ies` : `${noun}s`;
}

/** Formats take a decimal as text without losing a digit of it; TypeScript wants to see that it is one. */
function exact(decimal: string): `${number}` {
  return decimal as `${number}`;
}
