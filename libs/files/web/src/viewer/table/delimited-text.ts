export const DELIMITERS = [',', ';', '\t', '|'] as const;
export type Delimiter = (typeof DELIMITERS)[number];

const QUOTE = 34;
const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;
/** The records that decide which delimiter a text uses. */
const SAMPLED_RECORDS = 20;

/** A text as RFC 4180 describes it, with any of the usual delimiters. Cells are read when they are needed. */
export interface DelimitedText {
  readonly delimiter: Delimiter;
  /** The offset at which each record starts. */
  readonly starts: readonly number[];
  /** The line, from 1, of a quoted cell that does not end as it should; undefined in a correct text. */
  readonly faultyLine: number | undefined;
}

/** Finds the records of a text. @param fixed the delimiter, if it is known; otherwise it is detected. */
export function delimitedText(text: string, fixed?: Delimiter): DelimitedText {
  const delimiter = fixed ?? detectDelimiter(text);
  return { delimiter, ...scanRecords(text, delimiter, Infinity) };
}

/** The cells of the record at an offset, without their quotes. */
export function cellsAt(text: string, start: number, delimiter: Delimiter): readonly string[] {
  const cells: string[] = [];
  let at = start;
  for (;;) {
    let cell: string;
    if (text.charCodeAt(at) === QUOTE) {
      const end = closingQuote(text, at);
      cell = text.slice(at + 1, end).replaceAll('""', '"');
      at = end + 1;
    } else {
      const end = cellEnd(text, at, delimiter);
      cell = text.slice(at, end);
      at = end;
    }
    cells.push(cell);
    if (text[at] !== delimiter) return cells;
    at += 1;
  }
}

/** The delimiter that splits the first records into the most cells, equally many in each; a comma otherwise. */
export function detectDelimiter(text: string): Delimiter {
  let [best, most]: [Delimiter, number] = [',', 1];
  for (const delimiter of DELIMITERS) {
    const { starts, faultyLine } = scanRecords(text, delimiter, SAMPLED_RECORDS);
    const counts = starts.map((start) => cellsAt(text, start, delimiter).length);
    const [first = 1] = counts;
    const isRegular = faultyLine === undefined && counts.every((count) => count === first);
    // A text with unequal records still has a delimiter.
    const score = isRegular ? first : Math.min(...counts) * 0.5;
    if (score > most) [best, most] = [delimiter, score];
  }
  return best;
}

function scanRecords(text: string, delimiter: Delimiter, limit: number): Omit<DelimitedText, 'delimiter'> {
  const starts: number[] = [];
  let at = 0;
  while (at < text.length && starts.length < limit) {
    const start = at;
    const end = recordEnd(text, start, delimiter);
    if (end === undefined) return { starts, faultyLine: lineAt(text, start) };
    // An empty line has no cells.
    if (end > start) starts.push(start);
    at = text.charCodeAt(end) === CARRIAGE_RETURN && text.charCodeAt(end + 1) === LINE_FEED ? end + 2 : end + 1;
  }
  return { starts, faultyLine: undefined };
}

/** The offset of the line break after a record; undefined when a quoted cell does not end as it should. */
function recordEnd(text: string, start: number, delimiter: Delimiter): number | undefined {
  let at = start;
  for (;;) {
    if (text.charCodeAt(at) === QUOTE) {
      at = closingQuote(text, at) + 1;
      if (at > text.length) return undefined;
      if (at < text.length && text[at] !== delimiter && !isLineBreak(text.charCodeAt(at))) return undefined;
    } else at = cellEnd(text, at, delimiter);
    if (text[at] !== delimiter) return at;
    at += 1;
  }
}

/** The offset of the quote that ends a quoted cell, or the end of the text. */
function closingQuote(text: string, opening: number): number {
  let at = text.indexOf('"', opening + 1);
  while (at !== -1 && text.charCodeAt(at + 1) === QUOTE) at = text.indexOf('"', at + 2);
  return at === -1 ? text.length : at;
}

function cellEnd(text: string, start: number, delimiter: Delimiter): number {
  const separator = delimiter.charCodeAt(0);
  let at = start;
  for (; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === separator || isLineBreak(code)) break;
  }
  return at;
}

function isLineBreak(code: number): boolean {
  return code === LINE_FEED || code === CARRIAGE_RETURN;
}

function lineAt(text: string, offset: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at !== -1 && at < offset; at = text.indexOf('\n', at + 1)) line += 1;
  return line;
}
