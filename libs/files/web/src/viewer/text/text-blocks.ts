const LINES = 200;
/** A longer run without a break is laid out in pieces: as one box it would freeze the page. */
const PIECE = 16_384;
const SIGNS = 65_536;

/** A run of lines that becomes a box of its own, of which the browser lays out only those on the screen. */
export interface TextBlock {
  /** Where it begins and ends in the text; its last line break belongs to it. */
  readonly from: number;
  readonly to: number;
  /** How many line breaks are before it. */
  readonly line: number;
  /** How many lines it shows. */
  readonly lines: number;
  /** Whether it begins inside a line that was too long for one box. */
  readonly continues: boolean;
}

/** A text cut into blocks: all of it, once, in order. */
export function textBlocks(text: string): readonly TextBlock[] {
  const blocks: TextBlock[] = [];
  const breaks = new Breaks(text);
  let from = 0;
  let line = 0;
  let continues = false;
  while (from < text.length) {
    const { to, found } = blockEnd(text, from, breaks);
    const endsLine = text.charCodeAt(to - 1) === 10;
    blocks.push({ from, to, line, lines: endsLine ? found : found + 1, continues });
    line += found;
    continues = !endsLine;
    from = to;
  }
  return blocks;
}

function blockEnd(text: string, from: number, breaks: Breaks): { to: number; found: number } {
  let to = from;
  let found = 0;
  while (found < LINES && to - from < SIGNS && to < text.length) {
    const next = breaks.after(to);
    if (next - to > PIECE) return found > 0 ? { to, found } : { to: wholeSign(text, to + PIECE), found };
    to = next;
    if (text.charCodeAt(to - 1) === 10) found += 1;
  }
  return { to, found };
}

/** A place that does not cut a sign outside the basic plane in two. */
function wholeSign(text: string, at: number): number {
  const before = text.charCodeAt(at - 1);
  return before >= 0xd800 && before < 0xdc00 ? at - 1 : at;
}

/** Finds line breaks from front to back; a far one is looked for once. */
class Breaks {
  readonly #text: string;
  #next = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** The place behind the first break at or after `at`, or the end of the text. */
  after(at: number): number {
    if (this.#next <= at) {
      const found = this.#text.indexOf('\n', at);
      this.#next = found === -1 ? this.#text.length : found + 1;
    }
    return this.#next;
  }
}

/** The block that shows a line, counted from 0: the first one, if it goes through several. */
export function blockOfLine(blocks: readonly TextBlock[], line: number): TextBlock | undefined {
  return blocks.find((block) => line < block.line + block.lines && (line > block.line || !block.continues));
}
