import { type DBSchema, deleteDB, type IDBPDatabase, type IDBPTransaction, openDB, type StoreNames } from 'idb';
import { personalDatabaseName, type PersonalDataPurpose } from '../session/personal-data';
import { rememberedUser } from '../session/remembered-user';

export interface PersonalStoreOptions<Schema extends DBSchema> {
  readonly purpose: PersonalDataPurpose;
  readonly sub: string;
  readonly version: number;
  /** Creates or converts the object stores. @param oldVersion 0 for a new database. */
  readonly upgrade: (
    database: IDBPDatabase<Schema>,
    oldVersion: number,
    transaction: IDBPTransaction<Schema, StoreNames<Schema>[], 'versionchange'>,
  ) => void;
}

/**
 * A database with one user's data on this device. Opens only while this device remembers the user and closes as soon
 * as it is deleted, so that nothing is written after a sign-out.
 */
export class PersonalStore<Schema extends DBSchema> {
  readonly sub: string;
  readonly #options: PersonalStoreOptions<Schema>;
  #connection: Promise<IDBPDatabase<Schema> | undefined> | undefined;

  constructor(options: PersonalStoreOptions<Schema>) {
    this.sub = options.sub;
    this.#options = options;
  }

  /**
   * Runs `work` on the database.
   * @returns undefined when there is no database: the user has signed out, or storage is blocked.
   * @throws when `work` fails, for example because the storage is full.
   */
  async use<T>(work: (database: IDBPDatabase<Schema>) => Promise<T>): Promise<T | undefined> {
    this.#connection ??= this.#open();
    const database = await this.#connection;
    if (!database) {
      // The next call tries again: the user may have signed in again.
      this.#connection = undefined;
      return undefined;
    }
    try {
      return await work(database);
    } catch (error) {
      // The database was closed before the work started, because it is being deleted.
      if (error instanceof DOMException && error.name === 'InvalidStateError') return undefined;
      throw error;
    }
  }

  async #open(): Promise<IDBPDatabase<Schema> | undefined> {
    if (!this.#isRemembered()) return undefined;
    const { purpose, version, upgrade } = this.#options;
    const name = personalDatabaseName(purpose, this.sub);
    let database: IDBPDatabase<Schema>;
    try {
      database = await openDB<Schema>(name, version, {
        upgrade: (opened, oldVersion, _newVersion, transaction) => upgrade(opened, oldVersion, transaction),
        terminated: () => (this.#connection = undefined),
      });
    } catch {
      return undefined;
    }
    database.addEventListener('versionchange', () => {
      this.#connection = undefined;
      database.close();
    });
    if (this.#isRemembered()) return database;
    // The user has signed out while the database was being opened, so the deletion did not see it.
    database.close();
    await deleteDB(name);
    return undefined;
  }

  /** Reads the device's storage, because this tab may not know yet that another tab has signed out. */
  #isRemembered(): boolean {
    return rememberedUser()?.sub === this.sub;
  }
}
