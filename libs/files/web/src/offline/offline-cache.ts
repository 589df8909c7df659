import { inject, Service } from '@angular/core';
import type { FileEntry } from '@homeport/files/contracts';
import { AuthSession } from '@homeport/identity/web';
import { PersonalStore } from '@homeport/identity/web/storage';
import { cachedPart, type CacheEntry, keysToEvict, NEVER_OPENED } from './eviction-policy';
import {
  type CachedList,
  type CachedListName,
  OFFLINE_CACHE_VERSION,
  type OfflineCacheSchema,
  upgradeOfflineCache,
} from './offline-cache-schema';

export interface CachedFile {
  readonly entry: CacheEntry;
  readonly bytes: ArrayBuffer;
}

/** The offline cache of one user's files. Caching is best-effort: methods reject only when the storage is full. */
export class OfflineCache {
  readonly #store: PersonalStore<OfflineCacheSchema>;

  constructor(sub: string) {
    const options = { version: OFFLINE_CACHE_VERSION, upgrade: upgradeOfflineCache };
    this.#store = new PersonalStore<OfflineCacheSchema>({ purpose: 'copies', sub, ...options });
  }

  get sub(): string {
    return this.#store.sub;
  }

  async entries(): Promise<readonly CacheEntry[]> {
    return (await this.#store.use((database) => database.getAll('entries'))) ?? [];
  }

  find(key: string): Promise<CacheEntry | undefined> {
    return this.#store.use((database) => database.get('entries', key));
  }

  async read(key: string): Promise<CachedFile | undefined> {
    return this.#store.use(async (database) => {
      const transaction = database.transaction(['entries', 'bytes']);
      const [entry, bytes] = await Promise.all([
        transaction.objectStore('entries').get(key),
        transaction.objectStore('bytes').get(key),
      ]);
      return entry && bytes && { entry, bytes };
    });
  }

  /**
   * Stores a file and evicts others to make room for it. A pinned file stays pinned, and keeps its view time.
   * @returns whether it was stored; false when the browser blocks storage.
   */
  put(file: CachedFile): Promise<boolean> {
    return this.#put(file, (before) => ({
      ...file.entry,
      pinned: file.entry.pinned || before?.pinned === true,
      viewedAt: Math.max(file.entry.viewedAt, before?.viewedAt ?? NEVER_OPENED),
    }));
  }

  /** Replaces an existing entry and keeps its pin and its view time. Does nothing without an existing entry. */
  async replace(file: CachedFile): Promise<void> {
    await this.#put(file, (before) => before && { ...file.entry, pinned: before.pinned, viewedAt: before.viewedAt });
  }

  /** Changes the metadata of an existing entry. */
  async updateEntry(key: string, change: Partial<Pick<CacheEntry, 'pinned' | 'viewedAt'>>): Promise<void> {
    await this.#store.use(async (database) => {
      const transaction = database.transaction('entries', 'readwrite');
      const entry = await transaction.store.get(key);
      if (entry) await transaction.store.put({ ...entry, ...change });
      await transaction.done;
    });
  }

  async remove(keys: readonly string[]): Promise<void> {
    if (keys.length === 0) return;
    await this.#store.use(async (database) => {
      const transaction = database.transaction(['entries', 'bytes'], 'readwrite');
      const stores = [transaction.objectStore('entries'), transaction.objectStore('bytes')];
      await Promise.all(stores.flatMap((store) => keys.map((key) => store.delete(key))));
      await transaction.done;
    });
  }

  async clear(): Promise<void> {
    await this.#store.use(async (database) => {
      const transaction = database.transaction(['entries', 'bytes', 'lists'], 'readwrite');
      await Promise.all([...transaction.objectStoreNames].map((name) => transaction.objectStore(name).clear()));
      await transaction.done;
    });
  }

  readList(name: CachedListName): Promise<CachedList | undefined> {
    return this.#store.use((database) => database.get('lists', name));
  }

  async putList(name: CachedListName, entries: readonly FileEntry[]): Promise<void> {
    const list = { name, ...cachedPart(entries), cachedAt: Date.now() };
    await this.#store.use((database) => database.put('lists', list));
  }

  /** @returns whether the database is available. The file is stored only when `entryAfter` returns metadata for it. */
  async #put(
    { entry: { key }, bytes }: CachedFile,
    entryAfter: (before: CacheEntry | undefined) => CacheEntry | undefined,
  ): Promise<boolean> {
    const isOpen = await this.#store.use(async (database) => {
      const transaction = database.transaction(['entries', 'bytes'], 'readwrite');
      const [known, contents] = [transaction.objectStore('entries'), transaction.objectStore('bytes')];
      const entry = entryAfter(await known.get(key));
      if (entry) {
        await Promise.all([known.put(entry), contents.put(bytes, key)]);
        const evicted = keysToEvict(await known.getAll());
        await Promise.all(evicted.flatMap((each) => [known.delete(each), contents.delete(each)]));
      }
      await transaction.done;
      return true;
    });
    return isOpen === true;
  }
}

/** The offline cache of the signed-in user; without a connection, of the last signed-in user. */
@Service()
export class CurrentOfflineCache {
  readonly #session = inject(AuthSession);
  #cache: OfflineCache | undefined;

  /** @returns the cache; undefined when no user is signed in. */
  get(): OfflineCache | undefined {
    const sub = this.#session.user()?.sub;
    if (sub !== this.#cache?.sub) this.#cache = sub === undefined ? undefined : new OfflineCache(sub);
    return this.#cache;
  }
}
