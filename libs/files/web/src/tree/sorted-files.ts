import type { FileEntry } from '@homeport/files/contracts';

/** Entries per chunk. A change copies one chunk and the list of chunks, never all entries. */
const CHUNK_SIZE = 512;

type Chunk = readonly FileEntry[];

/**
 * An immutable list of all files of a workspace, sorted by key. A change returns a new list that shares the unchanged
 * chunks. Finding an entry costs O(log n), changing one O(√n).
 */
export class SortedFiles {
  static readonly empty = new SortedFiles([]);

  private constructor(private readonly chunks: readonly Chunk[]) {}

  /** @param entries in any order; of two entries with the same key, the later one is used. */
  static of(entries: readonly FileEntry[]): SortedFiles {
    return new SortedFiles(splitChunks(sortedEntries(entries)));
  }

  get size(): number {
    return this.chunks.reduce((sum, { length }) => sum + length, 0);
  }

  get first(): FileEntry | undefined {
    return this.chunks[0]?.[0];
  }

  get last(): FileEntry | undefined {
    return this.chunks.at(-1)?.at(-1);
  }

  find(key: string): FileEntry | undefined {
    const chunk = this.chunks[this.#chunkFor(key)];
    const entry = chunk?.[lowerBound(chunk, key)];
    return entry?.key === key ? entry : undefined;
  }

  [Symbol.iterator](): Generator<FileEntry, void> {
    return this.withPrefix('');
  }

  /**
   * The entries whose keys start with `prefix`, in key order.
   * @param from the key to begin at; itself with the prefix.
   */
  *withPrefix(prefix: string, from = prefix): Generator<FileEntry, void> {
    for (let at = this.#chunkFor(from); at < this.chunks.length; at += 1) {
      const chunk = this.chunks[at] as Chunk;
      for (let index = lowerBound(chunk, from); index < chunk.length; index += 1) {
        const entry = chunk[index] as FileEntry;
        if (!entry.key.startsWith(prefix)) return;
        yield entry;
      }
    }
  }

  /** Returns a list with these entries added; they replace entries with the same keys. */
  with(entries: readonly FileEntry[]): SortedFiles {
    if (entries.length === 0) return this;
    if (entries.length > this.chunks.length) return new SortedFiles(splitChunks(merged(this, sortedEntries(entries))));
    const chunks = [...this.chunks];
    for (const entry of entries) put(chunks, entry);
    return new SortedFiles(chunks);
  }

  /** Returns a list without the entries of these keys. */
  without(keys: Iterable<string>): SortedFiles {
    const removed = keys instanceof Set ? (keys as ReadonlySet<string>) : new Set(keys);
    const touched = new Set([...removed].map((key) => this.#chunkFor(key)));
    const chunks = this.chunks.map((chunk, at) =>
      touched.has(at) ? chunk.filter(({ key }) => !removed.has(key)) : chunk,
    );
    return new SortedFiles(chunks.filter(({ length }) => length > 0));
  }

  #chunkFor(key: string): number {
    return chunkFor(this.chunks, key);
  }
}

/** The index of the chunk that a key belongs to: the last chunk that does not begin after it. */
function chunkFor(chunks: readonly Chunk[], key: string): number {
  let low = 0;
  let high = chunks.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (((chunks[middle] as Chunk)[0] as FileEntry).key <= key) low = middle + 1;
    else high = middle;
  }
  return Math.max(0, low - 1);
}

/** The index of the first entry whose key is not before `key`. */
function lowerBound(chunk: Chunk, key: string): number {
  let low = 0;
  let high = chunk.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((chunk[middle] as FileEntry).key < key) low = middle + 1;
    else high = middle;
  }
  return low;
}

function put(chunks: Chunk[], entry: FileEntry): void {
  const at = chunkFor(chunks, entry.key);
  const chunk = chunks[at] ?? [];
  const index = lowerBound(chunk, entry.key);
  const exists = chunk[index]?.key === entry.key;
  chunks.splice(at, 1, ...splitChunks(chunk.toSpliced(index, exists ? 1 : 0, entry)));
}

/** Splits entries into chunks once they have reached twice the chunk size. */
function splitChunks(entries: Chunk): Chunk[] {
  if (entries.length === 0) return [];
  if (entries.length < 2 * CHUNK_SIZE) return [entries];
  const chunks: Chunk[] = [];
  for (let at = 0; at < entries.length; at += CHUNK_SIZE) chunks.push(entries.slice(at, at + CHUNK_SIZE));
  return chunks;
}

/** Sorts entries by UTF-16. The API sorts by bytes, which differs only for rare characters: most lists are sorted. */
function sortedEntries(entries: readonly FileEntry[]): Chunk {
  if (entries.every(({ key }, index) => index === 0 || (entries[index - 1] as FileEntry).key < key)) return entries;
  const sorted = entries.toSorted((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
  return sorted.filter(({ key }, index) => sorted[index + 1]?.key !== key);
}

function merged(known: Iterable<FileEntry>, added: Chunk): Chunk {
  const all: FileEntry[] = [];
  let next = 0;
  for (const entry of known) {
    while (next < added.length && (added[next] as FileEntry).key < entry.key) all.push(added[next++] as FileEntry);
    if (added[next]?.key !== entry.key) all.push(entry);
  }
  for (const entry of added.slice(next)) all.push(entry);
  return all;
}
