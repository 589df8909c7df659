import { computed, effect, inject, Service, signal, untracked } from '@angular/core';
import { AuthSession, hasPersonalData } from '@homeport/identity/web';
import { PersonalStore } from '@homeport/identity/web/storage';
import type { DBSchema, IDBPDatabase } from 'idb';
import { FileIndex } from '../client/file-index';
import { filesUnder } from '../tree/directory-summary';
import { movedPaths, pathsWithin, withAncestors } from './folder-paths';

interface Schema extends DBSchema {
  folders: { key: string; value: string };
}

interface Loaded {
  readonly owner: string;
  readonly paths: ReadonlySet<string>;
}

const NO_PATHS: ReadonlySet<string> = new Set();

/**
 * The folders that the user has created and that have no files yet. The server stores no folders, so this device keeps
 * them until their first file is stored. Without browser storage, they last until the page closes.
 */
@Service()
export class EmptyFolders {
  readonly #session = inject(AuthSession);
  readonly #index = inject(FileIndex);
  readonly #loaded = signal<Loaded | undefined>(undefined);
  #store: PersonalStore<Schema> | undefined;

  /** The display paths. Another user does not see those of the previous one. */
  readonly paths = computed(() => {
    const loaded = this.#loaded();
    return loaded && loaded.owner === this.#session.userScope() ? loaded.paths : NO_PATHS;
  });
  /** Whether the folders of the current user are read. */
  readonly isLoaded = computed(() => this.#loaded()?.owner === this.#session.userScope());

  constructor() {
    effect(() => {
      const owner = this.#session.userScope();
      if (owner !== undefined) untracked(() => void this.#load(owner));
    });
    effect(() => {
      const [files, paths] = [this.#index.files(), this.paths()];
      const filled = files ? [...paths].filter((path) => !filesUnder(files, path).next().done) : [];
      if (filled.length > 0) untracked(() => this.#replace(without(paths, filled)));
    });
  }

  /** Whether a folder is empty or contains only empty folders; false for one with files. */
  has(path: string): boolean {
    return withAncestors(this.paths()).has(path);
  }

  add(...paths: readonly string[]): void {
    this.#replace(new Set([...this.paths(), ...paths]));
  }

  /** Removes a folder and the folders in it. @returns the removed ones, for `add`. */
  remove(path: string): readonly string[] {
    const removed = pathsWithin(this.paths(), path);
    if (removed.length > 0) this.#replace(without(this.paths(), removed));
    return removed;
  }

  /** Moves or renames a folder with the folders in it. */
  move(from: string, to: string): void {
    if (pathsWithin(this.paths(), from).length > 0) this.#replace(new Set(movedPaths(this.paths(), from, to)));
  }

  /** Reads the folders; another tab may have changed them. */
  async #load(owner: string): Promise<void> {
    // A database is created with the first folder.
    const exists = await hasPersonalData('folders');
    const stored = exists ? await this.#use((database) => database.getAll('folders')) : [];
    if (this.#session.userScope() !== owner) return;
    const added = untracked(this.#loaded)?.owner === owner ? this.paths() : NO_PATHS;
    this.#loaded.set({ owner, paths: new Set([...(stored ?? []), ...added]) });
  }

  #replace(paths: ReadonlySet<string>): void {
    const owner = this.#session.userScope();
    if (owner === undefined) return;
    const before = this.paths();
    this.#loaded.set({ owner, paths });
    // Only the changes: another tab may have stored further folders.
    const added = [...paths].filter((path) => !before.has(path));
    const removed = [...before].filter((path) => !paths.has(path));
    void this.#use(async (database) => {
      const { store, done } = database.transaction('folders', 'readwrite');
      const puts = added.map((path) => store.put(path, path));
      await Promise.all([...puts, ...removed.map((path) => store.delete(path)), done]);
    });
  }

  async #use<T>(work: (database: IDBPDatabase<Schema>) => Promise<T>): Promise<T | undefined> {
    const sub = this.#session.user()?.sub;
    if (sub !== undefined && this.#store?.sub !== sub) this.#store = storeOf(sub);
    // When the storage is full or blocked, the folders last until the page closes.
    return this.#store?.use(work).catch(() => undefined);
  }
}

function without(paths: ReadonlySet<string>, removed: readonly string[]): ReadonlySet<string> {
  const excluded = new Set(removed);
  return new Set([...paths].filter((path) => !excluded.has(path)));
}

function storeOf(sub: string): PersonalStore<Schema> {
  return new PersonalStore<Schema>({
    purpose: 'folders',
    sub,
    version: 1,
    upgrade: (database) => database.createObjectStore('folders'),
  });
}
