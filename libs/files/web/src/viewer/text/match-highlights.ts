/** The matches of a search in a text. Each is `length` long. */
export interface TextMatches {
  /** In ascending order. */
  readonly offsets: readonly number[];
  readonly length: number;
  /** The index of the selected match; undefined when it is in another part of the file. */
  readonly current: number | undefined;
}

const ALL = 'hp-match';
const CURRENT = 'hp-current-match';

/**
 * Highlights matches without changing the elements of the text. Browsers without the CSS Custom Highlight API show only
 * the line of the selected match.
 */
export class MatchHighlights {
  readonly #isSupported = 'highlights' in CSS;
  readonly #all = this.#isSupported ? new Highlight() : undefined;
  readonly #current = this.#isSupported ? new Highlight() : undefined;
  readonly #ranges = new Map<Element, Range[]>();
  #matches: TextMatches | undefined;

  constructor() {
    if (this.#all) CSS.highlights.set(ALL, this.#all);
    if (this.#current) {
      this.#current.priority = 1;
      CSS.highlights.set(CURRENT, this.#current);
    }
  }

  /** Replaces the matches; the caller paints the boxes that are laid out. */
  setMatches(matches: TextMatches | undefined): void {
    this.#matches = matches;
    this.#all?.clear();
    this.#current?.clear();
    this.#ranges.clear();
  }

  /** Highlights the matches in a box with the text from `from` to `to`; again after its elements were replaced. */
  paint(box: Element, from: number, to: number): void {
    for (const range of this.#ranges.get(box) ?? []) this.#all?.delete(range);
    const matches = this.#matches;
    if (!this.#all || !matches) return;
    const ranges: Range[] = [];
    const texts = new TextPositions(box);
    const { offsets, length, current } = matches;
    for (let at = firstAtOrAfter(offsets, from); at < offsets.length && (offsets[at] ?? to) < to; at += 1) {
      const start = (offsets[at] ?? from) - from;
      const range = texts.range(start, start + length);
      if (!range) continue;
      ranges.push(range);
      this.#all.add(range);
      if (at === current) this.#current?.add(range);
    }
    this.#ranges.set(box, ranges);
  }

  /** The range of the selected match, if its box is painted. */
  currentRange(): Range | undefined {
    const [range] = this.#current ?? [];
    return range as Range | undefined;
  }

  destroy(): void {
    CSS.highlights?.delete(ALL);
    CSS.highlights?.delete(CURRENT);
  }
}

/** Converts ascending offsets in the text of an element to positions in its text nodes. */
class TextPositions {
  readonly #walker: TreeWalker;
  #node: Node | null;
  #before = 0;

  constructor(element: Element) {
    this.#walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    this.#node = this.#walker.nextNode();
  }

  range(start: number, end: number): Range | undefined {
    const from = this.#seek(start);
    const to = from && this.#seek(end - 1);
    if (!from || !to) return undefined;
    const range = document.createRange();
    range.setStart(from.node, from.offset);
    range.setEnd(to.node, to.offset + 1);
    return range;
  }

  #seek(offset: number): { readonly node: Node; readonly offset: number } | undefined {
    while (this.#node) {
      const length = this.#node.nodeValue?.length ?? 0;
      if (offset < this.#before + length) return { node: this.#node, offset: offset - this.#before };
      this.#before += length;
      this.#node = this.#walker.nextNode();
    }
    return undefined;
  }
}

/** The index of the first offset at or after a position, by binary search. */
export function firstAtOrAfter(offsets: readonly number[], position: number): number {
  let [low, high] = [0, offsets.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((offsets[middle] ?? 0) < position) low = middle + 1;
    else high = middle;
  }
  return low;
}
