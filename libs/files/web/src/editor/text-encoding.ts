type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be';

/** A text as its file has it. `lines` is what is edited: the same text, every line break a line feed. */
export interface StoredText {
  readonly encoding: Encoding;
  /** Whether the file begins with a byte order mark. */
  readonly marked: boolean;
  /** With the line breaks it has. */
  readonly exact: string;
  readonly normalized: string;
}

/** A piece of two texts that differs, as offsets. */
export interface Difference {
  readonly fromA: number;
  readonly toA: number;
  readonly fromB: number;
  readonly toB: number;
}

export type DifferenceFinder = (a: string, b: string) => readonly Difference[];

const BREAK = /\r\n?|\n/g;
const MARK = '\ufeff';

/** Reads bytes as text; undefined when they are no text, or would not come back the same. */
export function decodeStoredText(bytes: Uint8Array): StoredText | undefined {
  const encoding = encodingOf(bytes);
  let decoded: string;
  try {
    decoded = new TextDecoder(encoding, { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
  if (decoded.includes('\0')) return undefined;
  const marked = decoded.startsWith(MARK);
  return storedText(marked ? decoded.slice(1) : decoded, { encoding, marked });
}

/** A text of which nothing is stored yet. */
export function storedText(
  exact: string,
  { encoding, marked }: Pick<StoredText, 'encoding' | 'marked'> = { encoding: 'utf-8', marked: false },
): StoredText {
  return { encoding, marked, exact, normalized: exact.replace(BREAK, '\n') };
}

/** Whether one text uses more than one kind of line break. */
export function hasMixedLineEndings({ exact }: StoredText): boolean {
  return new Set(exact.match(BREAK)).size > 1;
}

/**
 * An edited text in the form of the file it came from. New line breaks are of the kind the file has most of; in a file
 * that mixes them, those the person did not touch stay what they are.
 * @param differ finds what was edited; asked for mixed files alone.
 */
export function withFormatOf(stored: StoredText, normalized: string, differ: DifferenceFinder): StoredText {
  if (normalized === stored.normalized) return stored;
  const endings = stored.exact.match(BREAK) ?? [];
  const usual = mostFrequent(endings);
  const exact = hasMixedLineEndings(stored)
    ? keepEndings(stored.normalized, normalized, { endings, usual, differ })
    : joined(normalized, usual);
  return { ...stored, exact, normalized };
}

/** The bytes of a text, ready to be stored. */
export function encodeStoredText({ encoding, marked, exact }: StoredText): Uint8Array<ArrayBuffer> {
  const text = marked ? MARK + exact : exact;
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
  /** A return and a line feed that have become neighbours would be one line break instead of two. */
  const write = (piece: string): void => {
    if (piece === '') return;
    out.push(out.at(-1)?.endsWith('\r') && piece.startsWith('\n') ? `\r${piece}` : piece);
  };
  const places = placesOf(before);
  let at = 0;
  let index = 0;
  let atBefore = 0;
  /** Copies what is the same on both sides, each line break as it was. */
  const copy = (length: number): void => {
    const end = at + length;
    while (at < end) {
      const next = after.indexOf('\n', at);
      const stop = next === -1 || next >= end ? end : next;
      write(after.slice(at, stop));
      atBefore += stop - at;
      at = stop;
      if (stop === end) break;
      while ((places[index] ?? Infinity) < atBefore) index += 1;
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

/** Where the line breaks of a text are. */
function placesOf(lines: string): readonly number[] {
  const places: number[] = [];
  for (let at = lines.indexOf('\n'); at !== -1; at = lines.indexOf('\n', at + 1)) places.push(at);
  return places;
}

function mostFrequent(endings: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const ending of endings) counts.set(ending, (counts.get(ending) ?? 0) + 1);
  return [...counts].sort(([, one], [, other]) => other - one)[0]?.[0] ?? '\n';
}

/** UTF-8, unless a byte order mark says otherwise. */
function encodingOf([first, second]: Uint8Array): Encoding {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';
}
