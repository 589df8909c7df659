import { retry } from '@homeport/platform/contracts';
import type { DataSource, EntityManager, EntitySchema, MigrationInterface } from 'typeorm';
import type { OutageLog } from '../observability/outage-log';
import { DatabaseUnavailable } from '../problems/platform.errors';
import { isContention, translateDatabaseError } from './database-errors';
import { Semaphore } from '../limits/semaphore';

export interface DatabaseOptions {
  readonly url: string;
  readonly poolSize: number;
  readonly entities: readonly EntitySchema[];
  readonly migrations: readonly (new () => MigrationInterface)[];
  /** Logs when PostgreSQL fails and recovers; broken idle connections count as failures. */
  readonly outages?: OutageLog;
  /** Milliseconds a query may take before its connection is closed; 2,500 by default. */
  readonly queryTimeoutMs?: number;
}

/** The operation name in the outage log. Failed connections use it too, because they have the same causes. */
export const DATABASE_OPERATION = 'query';

const MAX_OPEN_ATTEMPTS = 4;
/** Connections that requests leave free for the readiness check. */
const SPARE_CONNECTIONS = 1;

/**
 * Runs queries and transactions of the adapters on PostgreSQL. Callers queue here and not in the pool: when the
 * database is unavailable, all waiting callers are rejected at once and do not wait for one timeout after the other.
 */
export class Database {
  readonly #concurrency: number;
  readonly #semaphore: Semaphore;

  constructor(
    readonly source: DataSource,
    poolSize: number,
    private readonly outages?: OutageLog,
  ) {
    this.#concurrency = Math.max(1, poolSize - SPARE_CONNECTIONS);
    this.#semaphore = new Semaphore({ permits: this.#concurrency });
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
      await Promise.all(Array.from({ length: this.#concurrency }, () => this.source.query('select 1')));
      this.outages?.succeeded(DATABASE_OPERATION);
    } catch (error) {
      this.outages?.failed(error, DATABASE_OPERATION);
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

  close(): Promise<void> {
    return this.source.destroy();
  }

  /**
   * Runs a single query. Queries take precedence over transactions, so that requests in progress finish first.
   * @throws {DatabaseUnavailable} when PostgreSQL is unreachable or too slow. Other errors are passed on unchanged.
   */
  async run<T>(work: (manager: EntityManager) => Promise<T>): Promise<T> {
    return this.#semaphore.run(() => this.#translateErrors(() => work(this.source.manager)), { isHighPriority: true });
  }

  /** Runs the work in a transaction, which is rolled back when the work throws. @throws {DatabaseUnavailable} */
  async transaction<T>(work: (manager: EntityManager) => Promise<T>): Promise<T> {
    return this.#semaphore.run(() => this.#translateErrors(() => this.source.transaction(work)));
  }

  async #translateErrors<T>(work: () => Promise<T>): Promise<T> {
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
