import { localizedDecimal, quantityLabel, usd, usdOfCents } from '@homeport/pricing/web/messages';
import { parseDecimal, PRICE_PLACES } from '@homeport/pricing/contracts';
import { perLanguage, translateServerText } from '@homeport/platform/web';
import { centsOf } from './cents';

const formats = perLanguage((language) => ({
  month: new Intl.DateTimeFormat(language, { month: 'long', year: 'numeric', timeZone: 'UTC' }),
  day: new Intl.DateTimeFormat(language, { day: 'numeric', month: 'long', timeZone: 'UTC' }),
}));

/** Formats an amount of the API to the cent: "$12.50". */
export function amountLabel(amountUsd: string): string {
  return usdOfCents(centsOf(amountUsd));
}

/** Formats a deduction: "−$4.00"; undefined for 0. */
export function deductionLabel(amountUsd: string): string | undefined {
  return centsOf(amountUsd) > 0n ? `−${amountLabel(amountUsd)}` : undefined;
}

/** Formats an amount that can be negative, with its sign: "−$5.50" or "+$1.00". */
export function signedAmountLabel(amountUsd: string): string {
  return amountUsd.startsWith('-') ? `−${amountLabel(amountUsd.slice(1))}` : `+${amountLabel(amountUsd)}`;
}

/** Formats a price with all of its digits: "$0.0004". */
export function priceLabel(unitUsd: string): string {
  return usd(Number(parseDecimal(unitUsd, PRICE_PLACES)) / 10 ** PRICE_PLACES);
}

/** Formats a quantity with its unit: "1,200 calls", and "0.25 GB-months" for a level over a month. */
export function usageQuantityLabel(quantity: string, unit: string): string {
  const [, noun] = /^(.+)-month$/.exec(unit) ?? [];
  if (noun === undefined) return quantityLabel(quantity, unit);
  const name = translateServerText(noun === 'gb' ? 'GB' : noun.replaceAll('-', ' '));
  const count = localizedDecimal(quantity);
  return quantity === '1'
    ? $localize`${count}:count: ${name}:noun:-month`
    : $localize`${count}:count: ${name}:noun:-months`;
}

/** Formats a month: "November 2026". */
export function monthLabel(period: string): string {
  return formats().month.format(new Date(`${period}-01T00:00:00Z`));
}

/** Formats a day: "27 November". */
export function dayLabel(day: string): string {
  return formats().day.format(new Date(`${day}T00:00:00Z`));
}
