const MAX_BLOCK_LINES = 200;
/** Longer lines are split into blocks: as one box, they would freeze the page. */
const MAX_LINE_LENGTH = 16_384;
const MAX_BLOCK_LENGTH = 65_536;

/** A block of lines that becomes a separate box, so that the browser lays out only the boxes on the screen. */
export interface TextBlock {
  /** Start and end offsets in the text; the last line break is included. */
  readonly from: number;
  readonly to: number;
  /** The number of line breaks before the block. */
  readonly line: number;
  /** The number of lines in the block. */
  readonly lines: number;
  /** Whether the block begins inside a line that was split. */
  readonly continues: boolean;
}

/** Splits a text into consecutive blocks. */
export function textBlocks(text: string): readonly TextBlock[] {
  const blocks: TextBlock[] = [];
  const breaks = new LineBreaks(text);
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

function blockEnd(text: string, from: number, breaks: LineBreaks): { to: number; found: number } {
  let to = from;
  let found = 0;
  while (found < MAX_BLOCK_LINES && to - from < MAX_BLOCK_LENGTH && to < text.length) {
    const next = breaks.after(to);
    if (next - to > MAX_LINE_LENGTH)
      return found > 0 ? { to, found } : { to: characterBoundary(text, to + MAX_LINE_LENGTH), found };
    to = next;
    if (text.charCodeAt(to - 1) === 10) found += 1;
  }
  return { to, found };
}

/** Moves an offset so that it does not split a surrogate pair. */
function characterBoundary(text: string, at: number): number {
  const before = text.charCodeAt(at - 1);
  return before >= 0xd800 && before < 0xdc00 ? at - 1 : at;
}

/** Finds line breaks in ascending order; remembers the last one, so that a distant line break is searched only once. */
class LineBreaks {
  readonly #text: string;
  #next = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** The offset after the first line break at or after `at`, or the end of the text. */
  after(at: number): number {
    if (this.#next <= at) {
      const found = this.#text.indexOf('\n', at);
      this.#next = found === -1 ? this.#text.length : found + 1;
    }
    return this.#next;
  }
}

/** The block in which a line, counted from 0, begins. */
export function blockOfLine(blocks: readonly TextBlock[], line: number): TextBlock | undefined {
  return blocks.find((block) => line < block.line + block.lines && (line > block.line || !block.continues));
}

/** The block that contains an offset of the text. */
export function blockAtOffset(blocks: readonly TextBlock[], offset: number): TextBlock | undefined {
  return blocks.find(({ from, to }) => offset >= from && offset < to);
}
