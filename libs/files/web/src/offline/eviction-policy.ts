/** The view time of a file that the user has not opened; it is evicted first. */
export const NEVER_OPENED = 0;

/** The metadata of a file in the offline cache. */
export interface CacheEntry {
  readonly key: string;
  /** Bytes. */
  readonly size: number;
  readonly contentType: string;
  readonly etag: string;
  /** As the `Last-Modified` header has it; null when it was not sent. */
  readonly modifiedAt: string | null;
  /** When the entry was stored; milliseconds since the epoch, like all times here. */
  readonly cachedAt: number;
  /** `NEVER_OPENED` for a file that was read only because another one shows it. */
  readonly viewedAt: number;
  /** Whether the user keeps the file offline; otherwise it was cached when viewed. */
  readonly pinned: boolean;
}

const MIB = 1024 * 1024;
export const MAX_VIEWED_FILES = 50;
export const MAX_VIEWED_BYTES = 5 * MIB;
export const MAX_PINNED_BYTES = 50 * MIB;
export const MAX_CACHE_BYTES = 100 * MIB;
/** Entries of a file list: a longer list takes longer to cache than to request. */
export const MAX_CACHED_LIST_ENTRIES = 20_000;

/** The part of a file list that is cached. */
export function cachedPart<T>(entries: readonly T[]): {
  readonly entries: readonly T[];
  readonly isTruncated: boolean;
} {
  return {
    entries: entries.slice(0, MAX_CACHED_LIST_ENTRIES),
    isTruncated: entries.length > MAX_CACHED_LIST_ENTRIES,
  };
}

/** Whether a viewed file is cached automatically: only readable formats of limited size. */
export function shouldCacheOnView({ contentType, size }: Pick<CacheEntry, 'contentType' | 'size'>): boolean {
  const readable = /^(text\/|image\/|application\/(json|xml|yaml|javascript|[\w.-]+\+(json|xml))\b)/i.test(contentType);
  return readable && size <= MAX_VIEWED_BYTES;
}

/**
 * The keys to evict so that the cache stays within its limits. Pinned files are never evicted; of the others, the least
 * recently viewed are evicted first.
 */
export function keysToEvict(cached: readonly CacheEntry[]): readonly string[] {
  const viewed = cached.filter(({ pinned }) => !pinned).sort((one, other) => other.viewedAt - one.viewedAt);
  let bytes = totalSize(cached) - totalSize(viewed);
  let files = 0;
  const evicted: string[] = [];
  for (const { key, size } of viewed) {
    if (evicted.length > 0 || files === MAX_VIEWED_FILES || bytes + size > MAX_CACHE_BYTES) evicted.push(key);
    else {
      files += 1;
      bytes += size;
    }
  }
  return evicted;
}

/** Whether a file fits in addition to the files that are already pinned. */
export function canPin(cached: readonly CacheEntry[], { key, size }: Pick<CacheEntry, 'key' | 'size'>): boolean {
  const others = cached.filter((each) => each.pinned && each.key !== key);
  return size <= MAX_PINNED_BYTES && totalSize(others) + size <= MAX_CACHE_BYTES;
}

export function totalSize(cached: readonly Pick<CacheEntry, 'size'>[]): number {
  return cached.reduce((total, { size }) => total + size, 0);
}

/** The outdated cache entries: `changed` are pinned files to read again, `gone` are files that no longer exist. */
export function staleEntries(
  cached: readonly CacheEntry[],
  entries: readonly { readonly key: string; readonly etag: string }[],
): { readonly changed: readonly string[]; readonly gone: readonly string[] } {
  const etags = new Map(entries.map(({ key, etag }) => [key, etag]));
  return {
    changed: cached.filter(({ key, etag, pinned }) => pinned && etags.has(key) && etags.get(key) !== etag).map(keyOf),
    gone: cached.filter(({ key }) => !etags.has(key)).map(keyOf),
  };
}

function keyOf({ key }: CacheEntry): string {
  return key;
}
