import { perLanguage } from '../language/per-language';

const plain = perLanguage((language) => new Intl.NumberFormat(language));
const percent = perLanguage((language) => new Intl.NumberFormat(language, { style: 'percent' }));

/** A number for reading: "1,234.5", "1.234,5". */
export function formatNumber(value: number): string {
  return plain().format(value);
}

/** A part of one for reading, without decimals: "42%", "42 %". */
export function formatPercent(share: number): string {
  return percent().format(share);
}
