import { inject, Service } from '@angular/core';
import type { FileEntry } from '@homeport/files/contracts';
import { AuthSession, PersonalStore } from '@homeport/identity/web';
import type { DBSchema, IDBPDatabase } from 'idb';
import { type CacheEntry, MAX_CACHED_LIST_ENTRIES, keysToEvict } from './eviction-policy';

export type CachedListName = 'all' | 'recent';

/** A list of files as it was last read. */
export interface CachedList {
  readonly name: CachedListName;
  readonly entries: readonly FileEntry[];
  /** Milliseconds since the epoch. */
  readonly keptAt: number;
}

export interface CachedFile {
  readonly facts: CacheEntry;
  readonly bytes: ArrayBuffer;
}

interface Schema extends DBSchema {
  /** Separate from the bytes, so that listing the entries does not read all contents. */
  facts: { key: string; value: CacheEntry };
  bytes: { key: string; value: ArrayBuffer };
  lists: { key: string; value: CachedList };
}

/** The offline cache of one user's files. Caching is best-effort: methods reject only when the storage is full. */
export class OfflineCache {
  readonly #store: PersonalStore<Schema>;

  constructor(sub: string) {
    this.#store = new PersonalStore<Schema>({ purpose: 'copies', sub, version: 1, upgrade: createObjectStores });
  }

  get sub(): string {
    return this.#store.sub;
  }

  async entries(): Promise<readonly CacheEntry[]> {
    return (await this.#store.use((database) => database.getAll('facts'))) ?? [];
  }

  find(key: string): Promise<CacheEntry | undefined> {
    return this.#store.use((database) => database.get('facts', key));
  }

  async read(key: string): Promise<CachedFile | undefined> {
    return this.#store.use(async (database) => {
      const transaction = database.transaction(['facts', 'bytes']);
      const [facts, bytes] = await Promise.all([
        transaction.objectStore('facts').get(key),
        transaction.objectStore('bytes').get(key),
      ]);
      return facts && bytes && { facts, bytes };
    });
  }

  /**
   * Stores a file and evicts others to make room for it. A pinned file stays pinned.
   * @returns whether it was stored; false when the browser blocks storage.
   */
  put(file: CachedFile): Promise<boolean> {
    return this.#put(file, (before) => ({ ...file.facts, pinned: file.facts.pinned || before?.pinned === true }));
  }

  /** Replaces an existing entry and keeps its pin and its view time. Does nothing without an existing entry. */
  async replace(file: CachedFile): Promise<void> {
    await this.#put(file, (before) => before && { ...file.facts, pinned: before.pinned, viewedAt: before.viewedAt });
  }

  /** Changes the metadata of an existing entry. */
  async updateEntry(key: string, change: Partial<Pick<CacheEntry, 'pinned' | 'viewedAt'>>): Promise<void> {
    await this.#store.use(async (database) => {
      const transaction = database.transaction('facts', 'readwrite');
      const facts = await transaction.store.get(key);
      if (facts) await transaction.store.put({ ...facts, ...change });
      await transaction.done;
    });
  }

  async remove(keys: readonly string[]): Promise<void> {
    if (keys.length === 0) return;
    await this.#store.use(async (database) => {
      const transaction = database.transaction(['facts', 'bytes'], 'readwrite');
      const stores = [transaction.objectStore('facts'), transaction.objectStore('bytes')];
      await Promise.all(stores.flatMap((store) => keys.map((key) => store.delete(key))));
      await transaction.done;
    });
  }

  async clear(): Promise<void> {
    await this.#store.use(async (database) => {
      const transaction = database.transaction(['facts', 'bytes', 'lists'], 'readwrite');
      await Promise.all([...transaction.objectStoreNames].map((name) => transaction.objectStore(name).clear()));
      await transaction.done;
    });
  }

  readList(name: CachedListName): Promise<CachedList | undefined> {
    return this.#store.use((database) => database.get('lists', name));
  }

  async putList(name: CachedListName, entries: readonly FileEntry[]): Promise<void> {
    const list = { name, entries: entries.slice(0, MAX_CACHED_LIST_ENTRIES), keptAt: Date.now() };
    await this.#store.use((database) => database.put('lists', list));
  }

  /** @returns whether the database is available. The file is stored only when `factsAfter` returns metadata for it. */
  async #put(
    { facts: { key }, bytes }: CachedFile,
    factsAfter: (before: CacheEntry | undefined) => CacheEntry | undefined,
  ): Promise<boolean> {
    const isOpen = await this.#store.use(async (database) => {
      const transaction = database.transaction(['facts', 'bytes'], 'readwrite');
      const [known, contents] = [transaction.objectStore('facts'), transaction.objectStore('bytes')];
      const facts = factsAfter(await known.get(key));
      if (facts) {
        await Promise.all([known.put(facts), contents.put(bytes, key)]);
        const evicted = keysToEvict(await known.getAll());
        await Promise.all(evicted.flatMap((each) => [known.delete(each), contents.delete(each)]));
      }
      await transaction.done;
      return true;
    });
    return isOpen === true;
  }
}

function createObjectStores(database: IDBPDatabase<Schema>): void {
  database.createObjectStore('facts', { keyPath: 'key' });
  database.createObjectStore('bytes');
  database.createObjectStore('lists', { keyPath: 'name' });
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
