type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be';

/** A text with its encoding and line breaks. `normalized` is the text to edit: every line break is a line feed. */
export interface StoredText {
  readonly encoding: Encoding;
  /** Whether the file begins with a byte order mark. */
  readonly marked: boolean;
  /** The text with its original line breaks. */
  readonly exact: string;
  readonly normalized: string;
}

/** A range that differs between two texts, as offsets. */
export interface Difference {
  readonly fromA: number;
  readonly toA: number;
  readonly fromB: number;
  readonly toB: number;
}

export type DifferenceFinder = (a: string, b: string) => readonly Difference[];

const LINE_BREAK = /\r\n?|\n/g;
const BYTE_ORDER_MARK = '\ufeff';

/** Decodes bytes as text; undefined when they are not text, or encoding it again would not give the same bytes. */
export function decodeStoredText(bytes: Uint8Array): StoredText | undefined {
  const encoding = encodingOf(bytes);
  let decoded: string;
  try {
    decoded = new TextDecoder(encoding, { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
  if (decoded.includes('\0')) return undefined;
  const marked = decoded.startsWith(BYTE_ORDER_MARK);
  return storedText(marked ? decoded.slice(1) : decoded, { encoding, marked });
}

/** Creates a stored text from a string; as UTF-8 without a byte order mark by default. */
export function storedText(
  exact: string,
  { encoding, marked }: Pick<StoredText, 'encoding' | 'marked'> = { encoding: 'utf-8', marked: false },
): StoredText {
  return { encoding, marked, exact, normalized: exact.replace(LINE_BREAK, '\n') };
}

/** Whether a text uses more than one kind of line break. */
export function hasMixedLineEndings({ exact }: StoredText): boolean {
  return new Set(exact.match(LINE_BREAK)).size > 1;
}

/**
 * Gives an edited text the encoding and line breaks of the file it came from. New line breaks are of the most frequent
 * kind in the file; in a file with mixed line breaks, unedited ones are kept.
 * @param differ finds the edits; called only for files with mixed line breaks.
 */
export function withFormatOf(stored: StoredText, normalized: string, differ: DifferenceFinder): StoredText {
  if (normalized === stored.normalized) return stored;
  const endings = stored.exact.match(LINE_BREAK) ?? [];
  const usual = mostFrequent(endings);
  const exact = hasMixedLineEndings(stored)
    ? keepEndings(stored.normalized, normalized, { endings, usual, differ })
    : joined(normalized, usual);
  return { ...stored, exact, normalized };
}

/** Encodes a text to the bytes to store. */
export function encodeStoredText({ encoding, marked, exact }: Omit<StoredText, 'normalized'>): Uint8Array<ArrayBuffer> {
  const text = marked ? BYTE_ORDER_MARK + exact : exact;
  if (encoding === 'utf-8') return new TextEncoder().encode(text);
  const bytes = new Uint8Array(text.length * 2);
  const view = new DataView(bytes.buffer);
  for (let index = 0; index < text.length; index += 1) {
    view.setUint16(index * 2, text.charCodeAt(index), encoding === 'utf-16le');
  }
  return bytes;
}

function joined(lines: string, ending: string): string {
  return ending === '\n' ? lines : lines.replaceAll('\n', ending);
}

interface Endings {
  readonly endings: readonly string[];
  readonly usual: string;
  readonly differ: DifferenceFinder;
}

function keepEndings(before: string, after: string, { endings, usual, differ }: Endings): string {
  const out: string[] = [];
  /** Separates a carriage return from a following line feed: together they would be one line break instead of two. */
  const write = (part: string): void => {
    if (part === '') return;
    out.push(out.at(-1)?.endsWith('\r') && part.startsWith('\n') ? `\r${part}` : part);
  };
  const offsets = lineBreakOffsets(before);
  let at = 0;
  let index = 0;
  let atBefore = 0;
  /** Copies unedited text with its original line breaks. */
  const copy = (length: number): void => {
    const end = at + length;
    while (at < end) {
      const next = after.indexOf('\n', at);
      const stop = next === -1 || next >= end ? end : next;
      write(after.slice(at, stop));
      atBefore += stop - at;
      at = stop;
      if (stop === end) break;
      while ((offsets[index] ?? Infinity) < atBefore) index += 1;
      write(endings[index] ?? usual);
      at += 1;
      atBefore += 1;
    }
  };
  for (const { fromA, toA, fromB, toB } of differ(before, after)) {
    copy(fromB - at);
    write(joined(after.slice(fromB, toB), usual));
    at = toB;
    atBefore = Math.max(fromA, toA);
  }
  copy(after.length - at);
  return out.join('');
}

/** The offsets of the line breaks of a text. */
function lineBreakOffsets(lines: string): readonly number[] {
  const offsets: number[] = [];
  for (let at = lines.indexOf('\n'); at !== -1; at = lines.indexOf('\n', at + 1)) offsets.push(at);
  return offsets;
}

function mostFrequent(endings: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const ending of endings) counts.set(ending, (counts.get(ending) ?? 0) + 1);
  return [...counts].sort(([, one], [, other]) => other - one)[0]?.[0] ?? '\n';
}

/** The encoding by byte order mark; UTF-8 without one. */
function encodingOf([first, second]: Uint8Array): Encoding {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';
}
