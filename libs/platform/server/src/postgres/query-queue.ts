import { DatabaseUnavailable, Semaphore } from '@homeport/kernel';
import type { OutageLog } from '../observability/outage-log';
import { CodedFailure } from '../observability/failure-cause';
import { isContention, translatePostgresError } from './postgres-errors';
import type { SlowStatements } from './slow-statements';

/** The operation name in the outage log. Failed connections use it too, because they have the same causes. */
export const DATABASE_OPERATION = 'query';

/** Connections that requests leave free for the readiness check. */
const SPARE_CONNECTIONS = 1;

export interface QueryQueueOptions {
  readonly poolSize: number;
  readonly slowStatements: SlowStatements;
  /** Logs when PostgreSQL fails and recovers; broken idle connections count as failures. */
  readonly outages?: OutageLog;
  /** Translates an error of the driver. Default: `translatePostgresError`. */
  readonly translateError?: (error: unknown) => unknown;
}

/** How many queries and transactions of a pool run and wait. */
export interface PoolUse {
  readonly active: number;
  readonly waiting: number;
  /** How many may run at the same time. */
  readonly limit: number;
}

/**
 * Limits the concurrent queries of a connection pool. Callers queue here and not in the pool: when the database is
 * unavailable, all waiting callers are rejected at once and do not wait for one timeout after the other.
 */
export class QueryQueue {
  /** The number of queries that run at the same time. */
  readonly concurrency: number;
  readonly #semaphore: Semaphore;
  readonly #translateError: (error: unknown) => unknown;

  constructor(private readonly options: QueryQueueOptions) {
    this.concurrency = Math.max(1, options.poolSize - SPARE_CONNECTIONS);
    this.#semaphore = new Semaphore({ permits: this.concurrency });
    this.#translateError = options.translateError ?? translatePostgresError;
  }

  get use(): PoolUse {
    const { held, waiting } = this.#semaphore;
    return { active: held, waiting, limit: this.concurrency };
  }

  /**
   * Runs the work when a connection is free.
   * @throws {DatabaseUnavailable} when PostgreSQL is unreachable or too slow. Other errors are passed on unchanged.
   */
  run<T>(work: () => Promise<T>, { isHighPriority = false } = {}): Promise<T> {
    return this.#semaphore.run(() => this.#observe(work), { isHighPriority });
  }

  async #observe<T>(work: () => Promise<T>): Promise<T> {
    const { outages, slowStatements } = this.options;
    if (slowStatements.rejectsNext()) {
      throw new DatabaseUnavailable({ cause: new CodedFailure('timeout', 'every statement is slow') });
    }
    const endCall = outages?.startCall(DATABASE_OPERATION);
    try {
      const result = await work();
      outages?.succeeded(DATABASE_OPERATION);
      endCall?.('success');
      return result;
    } catch (thrown) {
      const error = this.#translateError(thrown);
      const isFailure = error instanceof DatabaseUnavailable && !isContention(thrown);
      endCall?.(isFailure ? 'failure' : 'success');
      if (isFailure) {
        outages?.failed(thrown, DATABASE_OPERATION);
        this.#semaphore.rejectWaiting(error);
      }
      throw error;
    }
  }
}
