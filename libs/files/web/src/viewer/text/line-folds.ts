/** Lines of a text that can be folded, counted from 0. The line before `first` and the one after `last` stay visible. */
export interface HiddenLines {
  readonly first: number;
  readonly last: number;
}

/** The folded ranges of a text in which indentation shows the nesting, such as formatted JSON. */
export class LineFolds {
  readonly #text: string;
  /** The hidden lines, by the line that was folded. */
  readonly #folded = new Map<number, HiddenLines>();
  /** How many folds hide each line. */
  readonly #depths: Uint16Array;

  constructor(text: string) {
    this.#text = text;
    this.#depths = new Uint16Array(text.split('\n').length);
  }

  /** Whether a line opens an object or array with content. */
  isFoldable(line: string): boolean {
    return /[{[]\n$/.test(line);
  }

  isFolded(line: number): boolean {
    return this.#folded.has(line);
  }

  /**
   * Folds the lines that a line opens.
   *
   * @param line the opening line.
   * @param offset the offset of the opening line in the text.
   */
  fold(line: number, offset: number): HiddenLines {
    const hidden = { first: line + 1, last: line + linesInside(this.#text, offset) };
    this.#add(line, hidden);
    return hidden;
  }

  /** Folds all lines that can be folded, except the first one, which encloses the whole text. */
  foldAll(): void {
    const open: { readonly line: number; readonly indent: number }[] = [];
    for (const [line, words] of this.#text.split('\n').entries()) {
      const indent = words.search(/\S|$/);
      while (indent <= (open.at(-1)?.indent ?? -1)) {
        const opening = open.pop()?.line ?? 0;
        if (opening > 0 && !this.isFolded(opening)) this.#add(opening, { first: opening + 1, last: line - 1 });
      }
      if (this.isFoldable(`${words}\n`)) open.push({ line, indent });
    }
  }

  unfoldAll(): void {
    this.#folded.clear();
    this.#depths.fill(0);
  }

  unfold(line: number): HiddenLines | undefined {
    const hidden = this.#folded.get(line);
    if (!hidden) return undefined;
    this.#folded.delete(line);
    for (let at = hidden.first; at <= hidden.last; at += 1) this.#depths[at] = (this.#depths[at] ?? 1) - 1;
    return hidden;
  }

  isHidden(line: number): boolean {
    return (this.#depths[line] ?? 0) > 0;
  }

  /** Whether all lines of a block are hidden. */
  hidesAll(from: number, to: number): boolean {
    return this.#depths.subarray(from, to + 1).every((depth) => depth > 0);
  }

  /** The folded lines that hide a line. */
  foldsAround(line: number): readonly number[] {
    return [...this.#folded].filter(([, { first, last }]) => line >= first && line <= last).map(([opening]) => opening);
  }

  #add(line: number, hidden: HiddenLines): void {
    this.#folded.set(line, hidden);
    for (let at = hidden.first; at <= hidden.last; at += 1) this.#depths[at] = (this.#depths[at] ?? 0) + 1;
  }
}

/** The number of lines between an opening line and the line that closes it: the next one that is not indented more. */
function linesInside(text: string, offset: number): number {
  const indent = indentAt(text, offset);
  let count = 0;
  let at = text.indexOf('\n', offset) + 1;
  while (at > 0 && at < text.length && indentAt(text, at) > indent) {
    count += 1;
    at = text.indexOf('\n', at) + 1;
  }
  return count;
}

function indentAt(text: string, offset: number): number {
  let at = offset;
  while (text.charCodeAt(at) === 32) at += 1;
  return at - offset;
}
