import { effect, inject, Service, signal } from '@angular/core';
import { AuthSession, hasPersonalData } from '@homeport/identity/web';
import { PersonalStore } from '@homeport/identity/web/storage';
import type { DBSchema, IDBPDatabase } from 'idb';
import { acquireLock } from '../client/acquire-lock';
import { TabChannel } from '../client/tab-channel';
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
  /** The newest time of the drafts of each file, by key. */
  readonly #times = signal<ReadonlyMap<string, number>>(new Map());
  readonly #channel = new TabChannel<null>('homeport.drafts', () => void this.refresh());
  #store: PersonalStore<Schema> | undefined;

  constructor() {
    effect(() => {
      this.#session.userScope();
      void this.refresh();
    });
  }

  /** When the newest draft of a file was written; undefined without one. Drafts of all tabs count. */
  writtenAt(key: string): Date | undefined {
    const time = this.#times().get(key);
    return time === undefined ? undefined : new Date(time);
  }

  /** Reads the times of the drafts again. */
  async refresh(): Promise<void> {
    const scope = this.#session.userScope();
    const drafts = scope !== undefined && (await hasPersonalData('drafts')) ? await this.list().catch(() => []) : [];
    if (scope !== this.#session.userScope()) return;
    this.#times.set(new Map(drafts.toReversed().map(({ key, writtenAt }) => [key, writtenAt])));
  }

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
      if (!this.#times().has(draft.key)) await this.#announce();
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
    await this.#announce();
  }

  /** Changes the ETag that drafts of a file were edited from. @param to undefined when the file is new. */
  async rebase(key: string, from: string, to: string | undefined): Promise<void> {
    await this.#use(async (database) => {
      const writing = database.transaction('drafts', 'readwrite');
      const drafts = (await writing.store.index('key').getAll(key)).filter(({ base }) => base === from);
      await Promise.all(
        drafts.map(({ base: _old, ...draft }) => writing.store.put(to === undefined ? draft : { ...draft, base: to })),
      );
      await writing.done;
    });
  }

  /** Drops the drafts of a file whose text was saved. */
  async dropSaved(key: string, text: string): Promise<void> {
    await this.#use(async (database) => {
      const writing = database.transaction('drafts', 'readwrite');
      const saved = (await writing.store.index('key').getAll(key)).filter((draft) => draft.text === text);
      await Promise.all(saved.map(({ id }) => writing.store.delete(id)));
      await writing.done;
    });
    await this.#announce();
  }

  /** Drops all drafts of a file, except those that an editor has open. */
  async dropAll(key: string): Promise<void> {
    for (let claimed = await this.claim(key); claimed; claimed = await this.claim(key)) {
      await this.drop(claimed.draft.id);
      claimed.release();
    }
  }

  /** Locks and returns the newest draft of a file that no other editor has locked. */
  async claim(key: string): Promise<ClaimedDraft | undefined> {
    for (const draft of await this.list(key)) {
      const release = await acquireDraftLock(draft.id);
      if (release) return { draft, release };
    }
    return undefined;
  }

  /** Updates the times in all tabs. */
  async #announce(): Promise<void> {
    this.#channel.post(null);
    await this.refresh();
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
