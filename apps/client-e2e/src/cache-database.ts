import type { Page } from '@playwright/test';
import { personalDatabases } from './file-steps';

/** The metadata of a cached file. */
export interface CachedEntry {
  readonly size: number;
  readonly pinned: boolean;
  readonly cachedAt: number;
}

/** The time of all data that `downgradeCache` stores; milliseconds since the epoch. */
export const EARLIER_TIME = 1_700_000_000_000;

/** The name of the database with the offline cache; undefined before the first file or list is cached. */
async function cacheName(page: Page): Promise<string | undefined> {
  return (await personalDatabases(page)).find((name) => name.includes('copies'));
}

/** Reads the metadata of a cached file. */
export async function entryOf(page: Page, key: string): Promise<CachedEntry> {
  return page.evaluate(
    async ([name, of]) => {
      const settled = <T>(request: IDBRequest<T>): Promise<T> =>
        new Promise((resolve, reject) => {
          request.onsuccess = () => resolve(request.result);
          request.onerror = () => reject(request.error ?? new Error('refused'));
        });
      const opened = await settled(indexedDB.open(name));
      const entry = await settled(opened.transaction('entries').objectStore('entries').get(of));
      opened.close();
      return entry as CachedEntry;
    },
    [(await cacheName(page)) ?? '', key] as const,
  );
}

/** The number of entries in the cached list of all files. */
export async function cachedListLength(page: Page): Promise<number> {
  const database = await cacheName(page);
  if (database === undefined) return 0;
  return page.evaluate(async (name) => {
    const opening = indexedDB.open(name);
    await new Promise((resolve) => (opening.onsuccess = resolve));
    const reading = opening.result.transaction('lists').objectStore('lists').get('all');
    await new Promise((resolve) => (reading.onsuccess = resolve));
    opening.result.close();
    return (reading.result as { entries: unknown[] } | undefined)?.entries.length ?? 0;
  }, database);
}

/** Replaces the offline cache by the same data in the format of version 1. No page may have it open. */
export async function downgradeCache(page: Page): Promise<void> {
  await page.evaluate(
    async ([name, time]) => {
      const settled = <T>(request: IDBRequest<T>): Promise<T> =>
        new Promise((resolve, reject) => {
          request.onsuccess = () => resolve(request.result);
          request.onerror = () => reject(request.error ?? new Error('refused'));
        });
      const withoutNewFields = (record: object): object =>
        Object.fromEntries(Object.entries(record).filter(([field]) => !['cachedAt', 'isTruncated'].includes(field)));
      const current = await settled(indexedDB.open(name));
      const read = current.transaction(['entries', 'bytes', 'lists']);
      const [entries, keys, bytes, lists] = await Promise.all([
        settled<object[]>(read.objectStore('entries').getAll()),
        settled(read.objectStore('bytes').getAllKeys()),
        settled<unknown[]>(read.objectStore('bytes').getAll()),
        settled<object[]>(read.objectStore('lists').getAll()),
      ]);
      current.close();
      await settled(indexedDB.deleteDatabase(name));
      const opening = indexedDB.open(name, 1);
      opening.onupgradeneeded = () => {
        opening.result.createObjectStore('facts', { keyPath: 'key' });
        opening.result.createObjectStore('bytes');
        opening.result.createObjectStore('lists', { keyPath: 'name' });
      };
      const earlier = await settled(opening);
      const writing = earlier.transaction(['facts', 'bytes', 'lists'], 'readwrite');
      for (const entry of entries) writing.objectStore('facts').put({ ...withoutNewFields(entry), keptAt: time });
      for (const [at, key] of keys.entries()) writing.objectStore('bytes').put(bytes[at], key);
      for (const list of lists) writing.objectStore('lists').put({ ...withoutNewFields(list), keptAt: time });
      await new Promise((resolve) => (writing.oncomplete = resolve));
      earlier.close();
    },
    [(await cacheName(page)) ?? '', EARLIER_TIME] as const,
  );
}
