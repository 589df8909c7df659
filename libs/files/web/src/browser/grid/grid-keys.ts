/**
 * The row that a navigation key moves to.
 * @param page the number of rows that PageUp and PageDown move by.
 * @returns the row index; undefined for other keys.
 */
export function rowAfterKey(
  key: string,
  at: number,
  { rows, page }: { rows: number; page: number },
): number | undefined {
  const to = (index: number): number => Math.min(rows - 1, Math.max(0, index));
  switch (key) {
    case 'ArrowDown':
      return to(at + 1);
    case 'ArrowUp':
      return to(at - 1);
    case 'PageDown':
      return to(at + page);
    case 'PageUp':
      return to(at - page);
    case 'Home':
      return to(0);
    case 'End':
      return to(rows - 1);
    default:
      return undefined;
  }
}

/** Letters typed within this time are combined. */
const COMBINE_MS = 800;

/** Finds a row by the first letters of its name. */
export class TypeAhead {
  #typed = '';
  #lastAt = -Infinity;

  /**
   * @param at the current row. The first letter searches from the next row on; further letters include the current row.
   * @param now milliseconds.
   * @returns the row index; undefined when no name begins with the letters.
   */
  find(letter: string, names: readonly { readonly name: string }[], at: number, now: number): number | undefined {
    const isNew = now - this.#lastAt > COMBINE_MS;
    this.#lastAt = now;
    this.#typed = (isNew ? '' : this.#typed) + letter.toLowerCase();
    const start = isNew ? at + 1 : at;
    for (let step = 0; step < names.length; step += 1) {
      const index = (start + step) % names.length;
      if (names[index]?.name.toLowerCase().startsWith(this.#typed)) return index;
    }
    return undefined;
  }
}
