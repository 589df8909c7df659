import { perLanguage } from '../language/per-language';

const plain = perLanguage((language) => new Intl.NumberFormat(language));
const percent = perLanguage((language) => new Intl.NumberFormat(language, { style: 'percent' }));

/** Formats a number: "1,234.5", in German "1.234,5". */
export function formatNumber(value: number): string {
  return plain().format(value);
}

/** Formats a fraction of one as a percentage without decimals: "42%", in German "42 %". */
export function formatPercent(share: number): string {
  return percent().format(share);
}
