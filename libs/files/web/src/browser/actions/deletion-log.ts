import { inject, Service } from '@angular/core';
import type { FileEntry } from '@homeport/files/contracts';
import { AuthSession, PersonalStore } from '@homeport/identity/web';
import type { DBSchema, IDBPDatabase } from 'idb';
import { acquireLock } from '../../client/acquire-lock';

/** Files that somebody has deleted, as they were then. */
export interface LoggedDeletion {
  readonly id: string;
  readonly entries: readonly FileEntry[];
}

interface Schema extends DBSchema {
  deletions: { key: string; value: LoggedDeletion };
}

/**
 * What was deleted and is not gone from the server yet, for the next page to finish. Nothing here throws: a deletion
 * that cannot be written down is carried out as long as its page is there.
 */
@Service()
export class DeletionLog {
  readonly #session = inject(AuthSession);
  /** Those this page is at, and how to let go of them. */
  readonly #held = new Map<string, () => void>();
  #store: PersonalStore<Schema> | undefined;

  /** Writes a deletion down, for this page to carry out. */
  async record(deletion: LoggedDeletion): Promise<void> {
    await Promise.all([this.#take(deletion.id), this.#use((database) => database.put('deletions', deletion))]);
  }

  /** It is done, or taken back. */
  async remove(id: string): Promise<void> {
    await this.#use((database) => database.delete('deletions', id));
    this.release(id);
  }

  /** Lets a later page have it. */
  release(id: string): void {
    this.#held.get(id)?.();
    this.#held.delete(id);
  }

  /** Takes over what pages that are gone have left. */
  async claim(): Promise<readonly LoggedDeletion[]> {
    const ids = (await this.#use((database) => database.getAllKeys('deletions'))) ?? [];
    const claimed: LoggedDeletion[] = [];
    for (const id of ids) {
      if (this.#held.has(id) || !(await this.#take(id))) continue;
      // Read only now: a page that has just let go of it may have taken it back.
      const logged = await this.#use((database) => database.get('deletions', id));
      if (logged) claimed.push(logged);
      else this.release(id);
    }
    return claimed;
  }

  async #take(id: string): Promise<boolean> {
    const release = await acquireLock(`deletion.${id}`);
    if (release) this.#held.set(id, release);
    return release !== undefined;
  }

  async #use<T>(work: (database: IDBPDatabase<Schema>) => Promise<T>): Promise<T | undefined> {
    const sub = this.#session.user()?.sub;
    if (sub !== undefined && this.#store?.sub !== sub) this.#store = storeOf(sub);
    // Without room there is none written down.
    return this.#store?.use(work).catch(() => undefined);
  }
}

function storeOf(sub: string): PersonalStore<Schema> {
  return new PersonalStore<Schema>({
    purpose: 'deletions',
    sub,
    version: 1,
    upgrade: (database) => database.createObjectStore('deletions', { keyPath: 'id' }),
  });
}
