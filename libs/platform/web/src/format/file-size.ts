import { perLanguage } from '../language/per-language';

const UNITS = ['KiB', 'MiB', 'GiB', 'TiB'] as const;

const tenths = perLanguage(
  (language) => new Intl.NumberFormat(language, { minimumFractionDigits: 1, maximumFractionDigits: 1 }),
);
const whole = perLanguage(
  (language) => new Intl.NumberFormat(language, { maximumFractionDigits: 0, useGrouping: false }),
);

/** Formats a number of bytes in binary units, as the limits of the server are given: "0 B", "1.2 KiB", "34 MiB". */
export function fileSize(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  let value = bytes;
  let unit = -1;
  // 1023.5 rounds up to "1024", so it is shown in the next unit.
  while (value >= 1023.5 && unit < UNITS.length - 1) {
    value /= 1024;
    unit += 1;
  }
  return `${(value < 9.95 ? tenths() : whole()).format(value)} ${UNITS[unit]}`;
}
