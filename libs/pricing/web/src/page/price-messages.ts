import {
  type CardItem,
  formatDecimal,
  PRICE_PLACES,
  rate,
  parseDecimal,
  type UsageCard,
  centsToUsd,
} from '@homeport/pricing/contracts';
import { perLanguage, translateServerText } from '@homeport/platform/web';

const USD = { style: 'currency', currency: 'USD' } as const;
const formats = perLanguage((language) => {
  const digits = (least: number, most: number): Intl.NumberFormat =>
    new Intl.NumberFormat(language, { ...USD, minimumFractionDigits: least, maximumFractionDigits: most });
  return {
    wholePrice: digits(0, 0),
    price: digits(2, PRICE_PLACES),
    amount: digits(2, 2),
    plain: new Intl.NumberFormat(language, { maximumFractionDigits: 20 }),
    moment: new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' }),
    day: new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' }),
  };
});

/** Largest power of ten that an example uses. */
const MAX_EXAMPLE_ZEROS = 12;
/** Minimum amount of an example, in cents. */
const MIN_EXAMPLE_CENTS = 100n;

/** Formats a price with all of its digits: $25, $0.05, $0.0004. */
export function usd(unitUsd: number): string {
  const text = formatDecimal(parseDecimal(unitUsd, PRICE_PLACES), PRICE_PLACES);
  const { price, wholePrice } = formats();
  return (text.includes('.') ? price : wholePrice).format(exact(text));
}

/** Formats an amount to the cent: $4.00. */
export function usdOfCents(cents: bigint): string {
  return formats().amount.format(exact(centsToUsd(cents)));
}

/** Formats a decimal: 1,234.5. */
export function localizedDecimal(decimal: string): string {
  return formats().plain.format(exact(decimal));
}

/** Formats a unit: "secret-month" as "secret a month". */
export function unitLabel(unit: string): string {
  const { noun: name, period } = partsOf(unit);
  const noun = translateServerText(name);
  switch (period) {
    case 'month':
      return $localize`${noun}:noun: a month`;
    case 'day':
      return $localize`${noun}:noun: a day`;
    case 'year':
      return $localize`${noun}:noun: a year`;
    default:
      return noun;
  }
}

/** The short form of a unit next to its item: "a month" or "each". */
export function perUnitLabel(unit: string): string {
  switch (partsOf(unit).period) {
    case 'month':
      return $localize`a month`;
    case 'day':
      return $localize`a day`;
    case 'year':
      return $localize`a year`;
    default:
      return $localize`each`;
  }
}

/** Formats a price with its unit: "$0.05 per GB a month". */
export function pricePerUnit({ unit, unitUsd }: Pick<CardItem, 'unit' | 'unitUsd'>): string {
  return $localize`${usd(unitUsd)}:price: per ${unitLabel(unit)}:unit:`;
}

/** Formats a number of days: "1 day", "30 days". */
export function dayCountLabel(days: number): string {
  return days === 1 ? $localize`1 day` : $localize`${localizedDecimal(String(days))}:count: days`;
}

/** Formats a quantity with its unit: "10,000 calls", "1 GB". */
export function quantityLabel(quantity: string, unit: string): string {
  return `${localizedDecimal(quantity)} ${translateServerText(manyOf(quantity, partsOf(unit).noun))}`;
}

/** Formats the cost of a round quantity: "10,000 gateway calls cost $4.00". */
export function exampleCostLabel(item: CardItem, card: UsageCard): string {
  if (item.unitUsd === 0) return $localize`${translateServerText(item.label)}:things: cost nothing`;
  for (let zeros = 0; ; zeros += 1) {
    const quantity = `1${'0'.repeat(zeros)}`;
    const cents = rate({ [item.group]: { [item.id]: quantity } }, card).lines[0]?.cents ?? 0n;
    if (cents < MIN_EXAMPLE_CENTS && zeros < MAX_EXAMPLE_ZEROS) continue;
    const [what, price] = [things(quantity, item), usdOfCents(cents)];
    return quantity === '1'
      ? $localize`${what}:things: costs ${price}:price:`
      : $localize`${what}:things: cost ${price}:price:`;
  }
}

/** Formats the date of an instant in UTC, the time zone of the statement. */
export function formatDate(instant: string): string {
  const date = new Date(instant);
  return Number.isNaN(date.getTime()) ? instant : formats().day.format(date);
}

/** Formats an instant in the local time zone. */
export function formatDateTime(at: Date): string {
  return formats().moment.format(at);
}

function things(quantity: string, { label, unit }: CardItem): string {
  const { noun, period } = partsOf(unit);
  const name = label.charAt(0).toLowerCase() + label.slice(1);
  const isNamed = name.split(' ').at(-1) === noun;
  const what = isNamed ? manyOf(quantity, name) : `${manyOf(quantity, noun)} of ${name}`;
  const counted = `${localizedDecimal(quantity)} ${translateServerText(what)}`;
  switch (period) {
    case 'month':
      return $localize`${counted}:things: for a month`;
    case 'day':
      return $localize`${counted}:things: for a day`;
    case 'year':
      return $localize`${counted}:things: for a year`;
    default:
      return counted;
  }
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

/** `Intl.NumberFormat` formats decimal text exactly; TypeScript requires the type `${number}`. */
function exact(decimal: string): `${number}` {
  return decimal as `${number}`;
}
