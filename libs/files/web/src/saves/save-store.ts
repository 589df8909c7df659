import { inject, Service } from '@angular/core';
import { AuthSession, hasPersonalData } from '@homeport/identity/web';
import { PersonalStore } from '@homeport/identity/web/storage';
import type { DBSchema, IDBPDatabase } from 'idb';
import type { QueuedSave } from './queued-save';

interface Schema extends DBSchema {
  saves: { key: string; value: QueuedSave };
}

/** Returns the new entry of a file; undefined removes the entry, and the same entry changes nothing. */
export type SaveChange = (current: QueuedSave | undefined) => QueuedSave | undefined;

/** The queued saves of the signed-in user on this device. */
@Service()
export class SaveStore {
  readonly #session = inject(AuthSession);
  #store: PersonalStore<Schema> | undefined;
  #exists = false;

  /** Lists all queued saves, oldest first. */
  async list(): Promise<readonly QueuedSave[]> {
    const saves = (await this.#exist()) ? await this.#use((database) => database.getAll('saves')) : undefined;
    return (saves ?? []).toSorted((one, other) => one.queuedAt - other.queuedAt);
  }

  async find(key: string): Promise<QueuedSave | undefined> {
    return (await this.#exist()) ? this.#use((database) => database.get('saves', key)) : undefined;
  }

  /** Changes the entry of one file in a transaction. @returns whether the storage has the result. */
  async change(key: string, change: SaveChange): Promise<boolean> {
    try {
      const isStored = await this.#use(async (database) => {
        const writing = database.transaction('saves', 'readwrite');
        const current = await writing.store.get(key);
        const next = change(current);
        if (next === undefined) await writing.store.delete(key);
        else if (next !== current) await writing.store.put(next);
        await writing.done;
        return true;
      });
      this.#exists ||= isStored === true;
      return isStored === true;
    } catch {
      return false;
    }
  }

  /** Whether there is a database: reading must not create one. */
  async #exist(): Promise<boolean> {
    return this.#exists || (this.#exists = await hasPersonalData('saves'));
  }

  #use<T>(work: (database: IDBPDatabase<Schema>) => Promise<T>): Promise<T | undefined> {
    const sub = this.#session.user()?.sub;
    if (sub !== undefined && this.#store?.sub !== sub) this.#store = storeOf(sub);
    return this.#store?.use(work) ?? Promise.resolve(undefined);
  }
}

function storeOf(sub: string): PersonalStore<Schema> {
  return new PersonalStore<Schema>({
    purpose: 'saves',
    sub,
    version: 1,
    upgrade: (database) => database.createObjectStore('saves', { keyPath: 'key' }),
  });
}
