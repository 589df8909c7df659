import { type DBSchema, deleteDB, type IDBPDatabase, openDB } from 'idb';
import { personalDatabaseName, type PersonalDataPurpose } from './personal-data';
import { rememberedUser } from './remembered-user';

export interface PersonalStoreOptions<Schema extends DBSchema> {
  readonly purpose: PersonalDataPurpose;
  readonly sub: string;
  readonly version: number;
  readonly upgrade: (database: IDBPDatabase<Schema>, oldVersion: number) => void;
}

/**
 * A database of one person on this device. It is opened only while this device remembers the person, and let go of as
 * soon as somebody deletes it, so that nothing is written after they have left.
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
   * Works on the database. Undefined when there is none: the person has left, or storage is closed. Rejects when the
   * work fails, for want of room for example.
   */
  async use<T>(work: (database: IDBPDatabase<Schema>) => Promise<T>): Promise<T | undefined> {
    this.#connection ??= this.#open();
    const database = await this.#connection;
    if (!database) {
      // The next use asks anew: the person may be back.
      this.#connection = undefined;
      return undefined;
    }
    try {
      return await work(database);
    } catch (error) {
      // Closed between opening and work, because the database is being deleted.
      if (error instanceof DOMException && error.name === 'InvalidStateError') return undefined;
      throw error;
    }
  }

  async #open(): Promise<IDBPDatabase<Schema> | undefined> {
    if (!this.#isHere()) return undefined;
    const { purpose, version, upgrade } = this.#options;
    const name = personalDatabaseName(purpose, this.sub);
    let database: IDBPDatabase<Schema>;
    try {
      database = await openDB<Schema>(name, version, { upgrade, terminated: () => (this.#connection = undefined) });
    } catch {
      return undefined;
    }
    database.addEventListener('versionchange', () => {
      this.#connection = undefined;
      database.close();
    });
    if (this.#isHere()) return database;
    // They have left in the meantime, and whoever cleared up did not see what was only being opened.
    database.close();
    await deleteDB(name);
    return undefined;
  }

  /** Asked of the device and not of this page, which may not have heard yet that another one has signed out. */
  #isHere(): boolean {
    return rememberedUser()?.sub === this.sub;
  }
}
