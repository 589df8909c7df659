import { DatabaseUnavailable, retry } from '@homeport/kernel';
import type { DataSource, EntityManager, EntitySchema, MigrationInterface } from 'typeorm';
import type { OutageLog } from '../observability/outage-log';
import type { ConnectionLimits } from '../postgres/connection-settings';
import { DATABASE_OPERATION, type PoolUse, QueryQueue, type QueryQueueOptions } from '../postgres/query-queue';
import { translateDatabaseError } from './typeorm-errors';

export interface DatabaseOptions extends ConnectionLimits {
  readonly url: string;
  readonly entities: readonly EntitySchema[];
  readonly migrations: readonly (new () => MigrationInterface)[];
  /** Logs when PostgreSQL fails and recovers; broken idle connections count as failures. */
  readonly outages?: OutageLog;
}

/** When connecting times out, five seconds together: as long as the migrations before wait for a connection. */
const MAX_OPEN_ATTEMPTS = 10;

/** Runs queries and transactions of the adapters on PostgreSQL. */
export class Database {
  readonly #queue: QueryQueue;
  readonly #poolSize: number;
  readonly #outages: OutageLog | undefined;
  readonly #slowStatements: QueryQueueOptions['slowStatements'];

  constructor(
    readonly source: DataSource,
    { poolSize, slowStatements, outages }: Pick<QueryQueueOptions, 'poolSize' | 'slowStatements' | 'outages'>,
  ) {
    this.#poolSize = poolSize;
    this.#outages = outages;
    this.#slowStatements = slowStatements;
    this.#queue = new QueryQueue({ poolSize, slowStatements, outages, translateError: translateDatabaseError });
  }

  /**
   * Opens all connections of the pool, because opening them under load could take too long. It retries, because the
   * machine may be busy during the start and no request is waiting yet.
   */
  async open(): Promise<this> {
    const isRetryable = (error: unknown) => translateDatabaseError(error) instanceof DatabaseUnavailable;
    await retry(() => this.#fillPool(), { attempts: MAX_OPEN_ATTEMPTS, isRetryable });
    return this;
  }

  async #fillPool(): Promise<void> {
    try {
      await this.connect();
      await Promise.all(Array.from({ length: this.#poolSize }, () => this.source.query('select 1')));
      this.#outages?.succeeded(DATABASE_OPERATION);
    } catch (error) {
      this.#outages?.failed(error, DATABASE_OPERATION);
      throw error;
    }
  }

  /** Connects on the first call; later calls do nothing. Do not call it concurrently. */
  async connect(): Promise<void> {
    if (!this.source.isInitialized) await this.source.initialize();
  }

  /** Checks that the database answers a query. @throws the error of the driver. */
  async ready(): Promise<void> {
    await this.source.query('select 1');
  }

  /** Counts a statement that a request of this database ran on another pool. @param durationMs of a success. */
  recordStatement(durationMs: number): void {
    this.#slowStatements.record(durationMs);
  }

  get use(): PoolUse {
    return this.#queue.use;
  }

  close(): Promise<void> {
    return this.source.destroy();
  }

  /**
   * Runs a single query. Queries take precedence over transactions, so that requests in progress finish first.
   * @throws {DatabaseUnavailable} when PostgreSQL is unreachable or too slow. Other errors are passed on unchanged.
   */
  async run<T>(work: (manager: EntityManager) => Promise<T>): Promise<T> {
    return this.#queue.run(() => work(this.source.manager), { isHighPriority: true });
  }

  /** Runs the work in a transaction, which is rolled back when the work throws. @throws {DatabaseUnavailable} */
  async transaction<T>(work: (manager: EntityManager) => Promise<T>): Promise<T> {
    return this.#queue.run(() => this.source.transaction(work));
  }
}
