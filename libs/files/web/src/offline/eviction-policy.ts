/** What is known of a copy on this device without reading it. */
export interface CacheEntry {
  readonly key: string;
  /** Bytes. */
  readonly size: number;
  readonly contentType: string;
  readonly etag: string;
  /** As the `Last-Modified` header has it; null when it was not sent. */
  readonly modifiedAt: string | null;
  /** When the copy was made; milliseconds since the epoch, as all times here. */
  readonly keptAt: number;
  readonly viewedAt: number;
  /** Kept because the person asked for it, and not only because they looked at it. */
  readonly pinned: boolean;
}

const MIB = 1024 * 1024;
export const MAX_VIEWED_FILES = 50;
export const MAX_VIEWED_BYTES = 5 * MIB;
export const MAX_PINNED_BYTES = 50 * MIB;
export const MAX_CACHE_BYTES = 100 * MIB;
/** Entries of the file list: beyond this it would take longer to keep than to ask for. */
export const MAX_CACHED_LIST_ENTRIES = 20_000;

/** Whether a file that somebody looks at is kept without being asked for: what people read, and not what they load. */
export function shouldCacheOnView({ contentType, size }: Pick<CacheEntry, 'contentType' | 'size'>): boolean {
  const readable = /^(text\/|image\/|application\/(json|xml|yaml|javascript|[\w.-]+\+(json|xml))\b)/i.test(contentType);
  return readable && size <= MAX_VIEWED_BYTES;
}

/**
 * The keys of the copies that have to go, so that the rest is within bounds. Copies that were pinned stay; of the
 * others those that were viewed longest ago go first.
 */
export function keysToEvict(kept: readonly CacheEntry[]): readonly string[] {
  const viewed = kept.filter(({ pinned }) => !pinned).sort((one, other) => other.viewedAt - one.viewedAt);
  let bytes = totalSize(kept) - totalSize(viewed);
  let files = 0;
  const gone: string[] = [];
  for (const { key, size } of viewed) {
    if (gone.length > 0 || files === MAX_VIEWED_FILES || bytes + size > MAX_CACHE_BYTES) gone.push(key);
    else {
      files += 1;
      bytes += size;
    }
  }
  return gone;
}

/** Whether a file may be pinned beside what is pinned already. */
export function canPin(kept: readonly CacheEntry[], { key, size }: Pick<CacheEntry, 'key' | 'size'>): boolean {
  const others = kept.filter((each) => each.pinned && each.key !== key);
  return size <= MAX_PINNED_BYTES && totalSize(others) + size <= MAX_CACHE_BYTES;
}

export function totalSize(kept: readonly Pick<CacheEntry, 'size'>[]): number {
  return kept.reduce((total, { size }) => total + size, 0);
}

/** The copies that are not of the file as it is now: pinned ones to be read again, and all that are of no file at all. */
export function staleEntries(
  kept: readonly CacheEntry[],
  entries: readonly { readonly key: string; readonly etag: string }[],
): { readonly changed: readonly string[]; readonly gone: readonly string[] } {
  const etags = new Map(entries.map(({ key, etag }) => [key, etag]));
  return {
    changed: kept.filter(({ key, etag, pinned }) => pinned && etags.has(key) && etags.get(key) !== etag).map(keyOf),
    gone: kept.filter(({ key }) => !etags.has(key)).map(keyOf),
  };
}

function keyOf({ key }: CacheEntry): string {
  return key;
}
