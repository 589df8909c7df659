import { perLanguage } from '@homeport/platform/web';

const usd = perLanguage(
  (language) =>
    new Intl.NumberFormat(language, { style: 'currency', currency: 'USD', trailingZeroDisplay: 'stripIfInteger' }),
);

/** @param price USD a month. */
export function priceMessage(price: number): string {
  return $localize`${usd().format(price)}:price: a month`;
}
