/** Lines of a text, counted from 1; both ends are inclusive. */
export interface LineRange {
  readonly first: number;
  readonly last: number;
}

/** Parses a URL fragment: `L10`, `L10-L20`, `L20-10`. */
export function lineRange(fragment: string | null): LineRange | undefined {
  const [, one, other] = /^L([1-9]\d{0,9})(?:-L?([1-9]\d{0,9}))?$/.exec(fragment ?? '') ?? [];
  if (one === undefined) return undefined;
  const ends = [Number(one), Number(other ?? one)];
  return { first: Math.min(...ends), last: Math.max(...ends) };
}

/** The URL fragment for a line, or for the range from `from` to it. */
export function lineFragment(line: number, from?: LineRange): string {
  if (!from || from.first === line) return `L${line}`;
  return `L${Math.min(line, from.first)}-L${Math.max(line, from.first)}`;
}
