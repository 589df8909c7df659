/** Where an arrow or one of its relatives leads; undefined for other keys. */
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

/** How long letters belong together, in milliseconds. */
const TOGETHER_MS = 800;

/** Finds a row by the letters typed one after the other. */
export class TypeAhead {
  #typed = '';
  #lastAt = -Infinity;

  /**
   * @param at the current row: one letter leads to the next row that begins with it, more of them stay where they fit.
   * @param now milliseconds.
   * @returns the row, or undefined when no name begins like that.
   */
  find(letter: string, names: readonly { readonly name: string }[], at: number, now: number): number | undefined {
    const isNew = now - this.#lastAt > TOGETHER_MS;
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
