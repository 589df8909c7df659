import { inject, Service } from '@angular/core';
import { AuthSession, PersonalStore } from '@homeport/identity/web';
import type { DBSchema, IDBPDatabase } from 'idb';
import { acquireLock } from '../client/acquire-lock';
import { type Draft, newestFirst } from './draft';

interface Schema extends DBSchema {
  drafts: { key: string; value: Draft; indexes: { key: string } };
}

/** A draft that is locked for one editor. */
export interface ClaimedDraft {
  readonly draft: Draft;
  /** Releases the lock for other editors. */
  readonly release: () => void;
}

/** The unsaved drafts of the signed-in user on this device. */
@Service()
export class Drafts {
  readonly #session = inject(AuthSession);
  /** The file keys of open editors whose last change could not be stored, by draft id. */
  readonly #unsaved = new Map<string, string>();
  #store: PersonalStore<Schema> | undefined;

  /** Lists the drafts of one file, or all drafts, newest first. */
  async list(key?: string): Promise<readonly Draft[]> {
    const drafts = await this.#use((database) =>
      key === undefined ? database.getAll('drafts') : database.getAllFromIndex('drafts', 'key', key),
    );
    return newestFirst(drafts ?? []);
  }

  /** The number of files with unsaved changes, including changes that only an open editor has. */
  async countFiles(): Promise<number> {
    const drafts = await this.list();
    return new Set([...drafts.map(({ key }) => key), ...this.#unsaved.values()]).size;
  }

  /** Stores a draft and replaces the one with the same id. @returns whether it was stored. */
  async save(draft: Draft): Promise<boolean> {
    try {
      const isStored = await this.#use(async (database) => {
        const writing = database.transaction('drafts', 'readwrite', { durability: 'relaxed' });
        const put = writing.store.put(draft);
        // Commits explicitly: the page may close before the transaction would commit by itself.
        writing.commit();
        await Promise.all([put, writing.done]);
        return true;
      });
      return isStored === true;
    } catch {
      return false;
    }
  }

  /** Marks a file whose last change could not be stored, while its editor is open. */
  markUnsaved({ id, key }: Pick<Draft, 'id' | 'key'>): void {
    this.#unsaved.set(id, key);
  }

  /** Removes the mark, because the draft was stored or the editor was closed. */
  clearUnsaved(id: string): void {
    this.#unsaved.delete(id);
  }

  async drop(id: string): Promise<void> {
    await this.#use((database) => database.delete('drafts', id));
  }

  /** Drops the drafts of a file whose text was saved. */
  async dropSaved(key: string, text: string): Promise<void> {
    await this.#use(async (database) => {
      const writing = database.transaction('drafts', 'readwrite');
      const saved = (await writing.store.index('key').getAll(key)).filter((draft) => draft.text === text);
      await Promise.all(saved.map(({ id }) => writing.store.delete(id)));
      await writing.done;
    });
  }

  /** Locks and returns the newest draft of a file that no other editor has locked. */
  async claim(key: string): Promise<ClaimedDraft | undefined> {
    for (const draft of await this.list(key)) {
      const release = await acquireDraftLock(draft.id);
      if (release) return { draft, release };
    }
    return undefined;
  }

  #use<T>(work: (database: IDBPDatabase<Schema>) => Promise<T>): Promise<T | undefined> {
    const sub = this.#session.user()?.sub;
    // Without a user, the store of the last user is used; it checks itself whether it may still be used.
    if (sub !== undefined && this.#store?.sub !== sub) this.#store = storeOf(sub);
    return this.#store?.use(work) ?? Promise.resolve(undefined);
  }
}

/** Locks a draft for one editor: two editors writing to one draft would overwrite each other. */
export function acquireDraftLock(id: string): Promise<(() => void) | undefined> {
  return acquireLock(`draft.${id}`);
}

function storeOf(sub: string): PersonalStore<Schema> {
  return new PersonalStore<Schema>({
    purpose: 'drafts',
    sub,
    version: 1,
    upgrade: (database) => database.createObjectStore('drafts', { keyPath: 'id' }).createIndex('key', 'key'),
  });
}
