import type { FileEntry } from '@homeport/files/contracts';

/** Entries in one piece; a change copies a piece and the list of pieces, never everything. */
const PIECE = 512;

type Piece = readonly FileEntry[];

/**
 * Every file of a workspace in the order of its keys. It never changes: a change answers another one, which shares
 * what is the same, so that finding costs O(log n) and changing O(√n) however many keys there are.
 */
export class SortedFiles {
  static readonly empty = new SortedFiles([]);

  private constructor(private readonly pieces: readonly Piece[]) {}

  /** @param entries in any order; of two with one key the later counts. */
  static of(entries: readonly FileEntry[]): SortedFiles {
    return new SortedFiles(cut(inOrder(entries)));
  }

  get size(): number {
    return this.pieces.reduce((sum, { length }) => sum + length, 0);
  }

  get first(): FileEntry | undefined {
    return this.pieces[0]?.[0];
  }

  get last(): FileEntry | undefined {
    return this.pieces.at(-1)?.at(-1);
  }

  find(key: string): FileEntry | undefined {
    const piece = this.pieces[this.#pieceFor(key)];
    const entry = piece?.[firstAt(piece, key)];
    return entry?.key === key ? entry : undefined;
  }

  [Symbol.iterator](): Generator<FileEntry, void> {
    return this.withPrefix('');
  }

  /** The entries whose keys begin with `prefix`, in key order. */
  *withPrefix(prefix: string): Generator<FileEntry, void> {
    for (let at = this.#pieceFor(prefix); at < this.pieces.length; at += 1) {
      const piece = this.pieces[at] as Piece;
      for (let index = firstAt(piece, prefix); index < piece.length; index += 1) {
        const entry = piece[index] as FileEntry;
        if (!entry.key.startsWith(prefix)) return;
        yield entry;
      }
    }
  }

  /** With these in it, in place of those of the same keys. */
  with(entries: readonly FileEntry[]): SortedFiles {
    if (entries.length === 0) return this;
    if (entries.length > this.pieces.length) return new SortedFiles(cut(merged(this, inOrder(entries))));
    const pieces = [...this.pieces];
    for (const entry of entries) put(pieces, entry);
    return new SortedFiles(pieces);
  }

  /** Without those of these keys. */
  without(keys: Iterable<string>): SortedFiles {
    const gone = keys instanceof Set ? (keys as ReadonlySet<string>) : new Set(keys);
    const touched = new Set([...gone].map((key) => this.#pieceFor(key)));
    const pieces = this.pieces.map((piece, at) =>
      touched.has(at) ? piece.filter(({ key }) => !gone.has(key)) : piece,
    );
    return new SortedFiles(pieces.filter(({ length }) => length > 0));
  }

  #pieceFor(key: string): number {
    return pieceFor(this.pieces, key);
  }
}

/** The piece a key lies in or would: the last one that does not begin behind it. */
function pieceFor(pieces: readonly Piece[], key: string): number {
  let low = 0;
  let high = pieces.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (((pieces[middle] as Piece)[0] as FileEntry).key <= key) low = middle + 1;
    else high = middle;
  }
  return Math.max(0, low - 1);
}

/** Where the first key that is not before `key` stands. */
function firstAt(piece: Piece, key: string): number {
  let low = 0;
  let high = piece.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((piece[middle] as FileEntry).key < key) low = middle + 1;
    else high = middle;
  }
  return low;
}

function put(pieces: Piece[], entry: FileEntry): void {
  const at = pieceFor(pieces, entry.key);
  const piece = pieces[at] ?? [];
  const index = firstAt(piece, entry.key);
  const isThere = piece[index]?.key === entry.key;
  pieces.splice(at, 1, ...cut(piece.toSpliced(index, isThere ? 1 : 0, entry)));
}

/** Pieces that have grown to twice the size fall in two. */
function cut(entries: Piece): Piece[] {
  if (entries.length === 0) return [];
  if (entries.length < 2 * PIECE) return [entries];
  const pieces: Piece[] = [];
  for (let at = 0; at < entries.length; at += PIECE) pieces.push(entries.slice(at, at + PIECE));
  return pieces;
}

/** In the order of JavaScript strings. The API's order of bytes is the same but for rare signs, so most are sorted. */
function inOrder(entries: readonly FileEntry[]): Piece {
  if (entries.every(({ key }, index) => index === 0 || (entries[index - 1] as FileEntry).key < key)) return entries;
  const sorted = entries.toSorted((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
  return sorted.filter(({ key }, index) => sorted[index + 1]?.key !== key);
}

function merged(known: Iterable<FileEntry>, added: Piece): Piece {
  const all: FileEntry[] = [];
  let next = 0;
  for (const entry of known) {
    while (next < added.length && (added[next] as FileEntry).key < entry.key) all.push(added[next++] as FileEntry);
    if (added[next]?.key !== entry.key) all.push(entry);
  }
  for (const entry of added.slice(next)) all.push(entry);
  return all;
}
