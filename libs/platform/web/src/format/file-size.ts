import { perLanguage } from '../language/per-language';

const UNITS = ['kB', 'MB', 'GB', 'TB'] as const;

const tenths = perLanguage(
  (language) => new Intl.NumberFormat(language, { minimumFractionDigits: 1, maximumFractionDigits: 1 }),
);
const whole = perLanguage(
  (language) => new Intl.NumberFormat(language, { maximumFractionDigits: 0, useGrouping: false }),
);

/** Formats a number of bytes in decimal units: "0 B", "1.2 kB", "34 MB". */
export function fileSize(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  let value = bytes;
  let unit = -1;
  // 999.5 rounds up to "1000", so it is shown in the next unit.
  while (value >= 999.5 && unit < UNITS.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return `${(value < 9.95 ? tenths() : whole()).format(value)} ${UNITS[unit]}`;
}
