import type { FileEntry } from '@homeport/files/contracts';
import type { DBSchema, IDBPDatabase, IDBPTransaction, StoreNames } from 'idb';
import { type CacheEntry, MAX_CACHED_LIST_ENTRIES } from './eviction-policy';

export type CachedListName = 'all' | 'recent';

/** A list of files as it was last read. */
export interface CachedList {
  readonly name: CachedListName;
  readonly entries: readonly FileEntry[];
  /** Whether the list was longer than the cached part. */
  readonly isTruncated: boolean;
  /** Milliseconds since the epoch. */
  readonly cachedAt: number;
}

export interface OfflineCacheSchema extends DBSchema {
  /** Separate from the bytes, so that listing the entries does not read all contents. */
  entries: { key: string; value: CacheEntry };
  bytes: { key: string; value: ArrayBuffer };
  lists: { key: string; value: CachedList };
}

export const OFFLINE_CACHE_VERSION = 2;

/** Version 1 named the store of the entries `facts`, and the time `keptAt`. */
type Entry1 = Omit<CacheEntry, 'cachedAt'> & { readonly keptAt: number };
type List1 = Omit<CachedList, 'cachedAt' | 'isTruncated'> & { readonly keptAt: number };

/** Creates the object stores, or converts those of version 1. */
export function upgradeOfflineCache(
  database: IDBPDatabase<OfflineCacheSchema>,
  oldVersion: number,
  transaction: IDBPTransaction<OfflineCacheSchema, StoreNames<OfflineCacheSchema>[], 'versionchange'>,
): void {
  database.createObjectStore('entries', { keyPath: 'key' });
  if (oldVersion === 0) {
    database.createObjectStore('bytes');
    database.createObjectStore('lists', { keyPath: 'name' });
  } else {
    // The database stays at version 1 when the conversion fails.
    convertVersion1(database, transaction).catch(() => transaction.abort());
  }
}

async function convertVersion1(
  database: IDBPDatabase<OfflineCacheSchema>,
  transaction: IDBPTransaction<OfflineCacheSchema, StoreNames<OfflineCacheSchema>[], 'versionchange'>,
): Promise<void> {
  const before = transaction as unknown as IDBPTransaction<unknown, string[], 'versionchange'>;
  const entries = transaction.objectStore('entries');
  const lists = transaction.objectStore('lists');
  const [entries1, lists1] = await Promise.all([
    before.objectStore('facts').getAll() as Promise<readonly Entry1[]>,
    before.objectStore('lists').getAll() as Promise<readonly List1[]>,
  ]);
  (database as unknown as IDBPDatabase).deleteObjectStore('facts');
  await Promise.all([
    ...entries1.map(({ keptAt, ...entry }) => entries.put({ ...entry, cachedAt: keptAt })),
    ...lists1.map(({ keptAt, ...list }) => {
      // Version 1 truncated lists without a mark.
      const isTruncated = list.entries.length >= MAX_CACHED_LIST_ENTRIES;
      return lists.put({ ...list, isTruncated, cachedAt: keptAt });
    }),
  ]);
}
