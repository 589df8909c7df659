import { inject, Service } from '@angular/core';
import { AuthSession, PersonalStore } from '@homeport/identity/web';
import type { DBSchema, IDBPDatabase } from 'idb';
import { acquireLock } from '../client/acquire-lock';
import { type Draft, newestFirst } from './draft';

interface Schema extends DBSchema {
  drafts: { key: string; value: Draft; indexes: { key: string } };
}

/** A draft to go on with. */
export interface ClaimedDraft {
  readonly draft: Draft;
  /** Lets another editor have it. */
  readonly release: () => void;
}

/** What the signed-in person has written on this device and not saved yet. */
@Service()
export class Drafts {
  readonly #session = inject(AuthSession);
  /** The files of open editors whose last change this device could not keep, by the id of the draft. */
  readonly #unkept = new Map<string, string>();
  #store: PersonalStore<Schema> | undefined;

  /** Those of one file, or all of them, newest first. */
  async list(key?: string): Promise<readonly Draft[]> {
    const drafts = await this.#use((database) =>
      key === undefined ? database.getAll('drafts') : database.getAllFromIndex('drafts', 'key', key),
    );
    return newestFirst(drafts ?? []);
  }

  /** How many files have changes that were never saved, those that only an open page has included. */
  async countFiles(): Promise<number> {
    const drafts = await this.list();
    return new Set([...drafts.map(({ key }) => key), ...this.#unkept.values()]).size;
  }

  /** Writes a draft, over the one of the same id. False when this device cannot keep it. */
  async save(draft: Draft): Promise<boolean> {
    try {
      const kept = await this.#use(async (database) => {
        const writing = database.transaction('drafts', 'readwrite', { durability: 'relaxed' });
        const put = writing.store.put(draft);
        // Not left to the end of the page, which may come before the answer to the request.
        writing.commit();
        await Promise.all([put, writing.done]);
        return true;
      });
      return kept === true;
    } catch {
      return false;
    }
  }

  /** Counts what an editor could not keep, as long as it is open. */
  markUnsaved({ id, key }: Pick<Draft, 'id' | 'key'>): void {
    this.#unkept.set(id, key);
  }

  /** It is kept by now, or its editor is gone and its text with it. */
  clearUnsaved(id: string): void {
    this.#unkept.delete(id);
  }

  async drop(id: string): Promise<void> {
    await this.#use((database) => database.delete('drafts', id));
  }

  /** Drops the drafts of a file that say what has been saved. */
  async dropSaved(key: string, text: string): Promise<void> {
    await this.#use(async (database) => {
      const writing = database.transaction('drafts', 'readwrite');
      const saved = (await writing.store.index('key').getAll(key)).filter((draft) => draft.text === text);
      await Promise.all(saved.map(({ id }) => writing.store.delete(id)));
      await writing.done;
    });
  }

  /** The newest draft of a file that no other open editor writes, for the one that asks. */
  async claim(key: string): Promise<ClaimedDraft | undefined> {
    for (const draft of await this.list(key)) {
      const release = await acquireDraftLock(draft.id);
      if (release) return { draft, release };
    }
    return undefined;
  }

  #use<T>(work: (database: IDBPDatabase<Schema>) => Promise<T>): Promise<T | undefined> {
    const sub = this.#session.user()?.sub;
    // Without a person it is the store of the last one, which knows by itself whether it still may.
    if (sub !== undefined && this.#store?.sub !== sub) this.#store = storeOf(sub);
    return this.#store?.use(work) ?? Promise.resolve(undefined);
  }
}

/** Takes a draft for one editor: two that write one draft would lose what one of them wrote. */
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
