const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];

/** @returns for example `1.5 MiB`. */
export function bytes(count: number): string {
  const power = Math.min(Math.floor(Math.log2(Math.max(count, 1)) / 10), UNITS.length - 1);
  return `${power === 0 ? count : (count / 1024 ** power).toFixed(1)} ${UNITS[power]}`;
}

/** @returns for example `1 file`, `2 files`. */
export function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

/** @param time in the form of RFC 3339, UTC. @returns for example `2026-11-23 12:00`. */
export function minuteOf(time: string): string {
  return time.slice(0, 16).replace('T', ' ');
}

/** @param time in the form of RFC 3339, UTC; null for none. @returns for example `2026-11-23`, or `never`. */
export function dayOf(time: string | null): string {
  return time?.slice(0, 10) ?? 'never';
}

/** Aligns the columns of rows. */
export function table(header: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const all = [header, ...rows];
  const widths = header.map((_, column) => Math.max(...all.map((row) => (row[column] ?? '').length)));
  return all.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}
