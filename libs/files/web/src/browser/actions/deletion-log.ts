import { inject, Service } from '@angular/core';
import type { FileEntry } from '@homeport/files/contracts';
import { AuthSession } from '@homeport/identity/web';
import { PersonalStore } from '@homeport/identity/web/storage';
import type { DBSchema, IDBPDatabase } from 'idb';
import { acquireLock } from '../../client/acquire-lock';

/** A deletion that was requested, with the file entries at that time. */
export interface LoggedDeletion {
  readonly id: string;
  readonly entries: readonly FileEntry[];
}

interface Schema extends DBSchema {
  deletions: { key: string; value: LoggedDeletion };
}

/**
 * Deletions that were requested but are not yet done on the server. If a page closes early, the next page finishes
 * them. Never rejects: without storage, a deletion is still carried out while its page is open.
 */
@Service()
export class DeletionLog {
  readonly #session = inject(AuthSession);
  /** Deletions that this page has locked, with the function that releases the lock. */
  readonly #locks = new Map<string, () => void>();
  #store: PersonalStore<Schema> | undefined;

  /** Records a deletion and locks it for this page. */
  async record(deletion: LoggedDeletion): Promise<void> {
    await Promise.all([this.#lock(deletion.id), this.#use((database) => database.put('deletions', deletion))]);
  }

  /** Removes a deletion that is done or was undone. */
  async remove(id: string): Promise<void> {
    await this.#use((database) => database.delete('deletions', id));
    this.release(id);
  }

  /** Releases the lock, so that a later page can finish the deletion. */
  release(id: string): void {
    this.#locks.get(id)?.();
    this.#locks.delete(id);
  }

  /** Locks and returns the unfinished deletions of closed pages. */
  async claim(): Promise<readonly LoggedDeletion[]> {
    const ids = (await this.#use((database) => database.getAllKeys('deletions'))) ?? [];
    const claimed: LoggedDeletion[] = [];
    for (const id of ids) {
      if (this.#locks.has(id) || !(await this.#lock(id))) continue;
      // Read after locking: the page that held the lock before may have undone the deletion.
      const logged = await this.#use((database) => database.get('deletions', id));
      if (logged) claimed.push(logged);
      else this.release(id);
    }
    return claimed;
  }

  async #lock(id: string): Promise<boolean> {
    const release = await acquireLock(`deletion.${id}`);
    if (release) this.#locks.set(id, release);
    return release !== undefined;
  }

  async #use<T>(work: (database: IDBPDatabase<Schema>) => Promise<T>): Promise<T | undefined> {
    const sub = this.#session.user()?.sub;
    if (sub !== undefined && this.#store?.sub !== sub) this.#store = storeOf(sub);
    // When the storage is full, the deletion is not recorded.
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
