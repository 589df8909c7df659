import type { DataSource, EntityManager, EntitySchema, MigrationInterface } from 'typeorm';
import type { OutageLog } from '../observability/outage-log';
import { DatabaseUnavailable } from '../problems/platform.errors';
import { isContention, translateDatabaseError } from './database-errors';
import { PrioritySemaphore } from '../limits/priority-semaphore';

export interface DatabaseOptions {
  readonly url: string;
  readonly poolSize: number;
  readonly entities: readonly EntitySchema[];
  readonly migrations: readonly (new () => MigrationInterface)[];
  /** Told when PostgreSQL fails and works again; idle connections that break are reported too. */
  readonly outages?: OutageLog;
  /** How long a query may take before its connection is given up; 2,500 ms. */
  readonly queryTimeoutMs?: number;
}

/** The operation of an outage: a query fails for the same reasons as a connection. */
export const DATABASE_OPERATION = 'query';

const OPEN_TRIES = 4;
/** What requests leave to the question whether the database is there. */
const SPARE_CONNECTIONS = 1;

/**
 * PostgreSQL as the adapters use it. Whoever wants a connection waits in line here, not in the pool: when the database
 * turns out to be away, everybody in line is told at once, and nobody waits through one time-out after the other.
 */
export class Database {
  readonly #width: number;
  readonly #semaphore: PrioritySemaphore;

  constructor(
    readonly source: DataSource,
    poolSize: number,
    private readonly outages?: OutageLog,
  ) {
    this.#width = Math.max(1, poolSize - SPARE_CONNECTIONS);
    this.#semaphore = new PrioritySemaphore(this.#width);
  }

  /**
   * Connects at once as often as it ever will: in the middle of a rush that could take too long. At a start the machine
   * may be busy, and nobody waits for an answer yet, so it is tried again.
   */
  async open(): Promise<this> {
    for (let tries = 1; ; tries += 1) {
      try {
        await this.connect();
        await Promise.all(Array.from({ length: this.#width }, () => this.source.query('select 1')));
        this.outages?.succeeded(DATABASE_OPERATION);
        return this;
      } catch (error) {
        this.outages?.failed(error, DATABASE_OPERATION);
        if (tries === OPEN_TRIES || !(translateDatabaseError(error) instanceof DatabaseUnavailable)) throw error;
      }
    }
  }

  /** Connects for the first time; does nothing afterwards. Not for two callers at once. */
  async connect(): Promise<void> {
    if (!this.source.isInitialized) await this.source.initialize();
  }

  /** Asks the database for an answer, on a connection of the pool. @throws the driver's error. */
  async ready(): Promise<void> {
    await this.source.query('select 1');
  }

  close(): Promise<void> {
    return this.source.destroy();
  }

  /**
   * A single question or change. It goes ahead of transactions: requests that have begun come to their end first.
   * @throws {DatabaseUnavailable} when PostgreSQL is away or too slow; violated constraints pass as they are.
   */
  async run<T>(work: (manager: EntityManager) => Promise<T>): Promise<T> {
    return this.#semaphore.run(() => this.#named(() => work(this.source.manager)), true);
  }

  /** All of the work, or none of it. @throws {DatabaseUnavailable} */
  async transaction<T>(work: (manager: EntityManager) => Promise<T>): Promise<T> {
    return this.#semaphore.run(() => this.#named(() => this.source.transaction(work)));
  }

  async #named<T>(work: () => Promise<T>): Promise<T> {
    try {
      const result = await work();
      this.outages?.succeeded(DATABASE_OPERATION);
      return result;
    } catch (thrown) {
      const error = translateDatabaseError(thrown);
      if (error instanceof DatabaseUnavailable && !isContention(thrown)) {
        this.outages?.failed(thrown, DATABASE_OPERATION);
        this.#semaphore.rejectWaiting(error);
      }
      throw error;
    }
  }
}
