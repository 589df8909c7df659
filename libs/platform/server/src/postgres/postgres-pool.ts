import { DatabaseUnavailable } from '@homeport/kernel';
import { Pool, type QueryResultRow } from 'pg';
import { causeCodeOf } from '../observability/failure-cause';
import type { OutageLog } from '../observability/outage-log';
import { type ConnectionLimits, connectionSettings } from './connection-settings';
import { DATABASE_OPERATION, type PoolUse, QueryQueue } from './query-queue';
import { SlowStatements } from './slow-statements';

export interface PostgresPoolOptions extends ConnectionLimits {
  readonly url: string;
  /** The name that PostgreSQL shows for the connections. */
  readonly applicationName: string;
  /** Logs when PostgreSQL fails and recovers; broken idle connections count as failures. */
  readonly outages?: OutageLog;
}

const TOO_MANY_CONNECTIONS = '53300';

/** Runs queries on PostgreSQL without TypeORM, for programs that only read. */
export class PostgresPool {
  readonly #pool: Pool;
  readonly #queue: QueryQueue;
  readonly #poolSize: number;
  #isOpen = false;

  constructor({ url, applicationName, poolSize, queryTimeoutMs, outages }: PostgresPoolOptions) {
    const slowStatements = new SlowStatements();
    this.#poolSize = poolSize;
    this.#pool = new Pool({
      ...connectionSettings({ poolSize, queryTimeoutMs }, slowStatements),
      connectionString: url,
      application_name: applicationName,
    });
    // Without a handler, a broken idle connection would end the process.
    this.#pool.on('error', (error) => outages?.failed(error, DATABASE_OPERATION));
    this.#queue = new QueryQueue({ poolSize, slowStatements, outages });
  }

  /**
   * Opens all connections, because opening them under load could take too long. When PostgreSQL has fewer left, those
   * are enough: two programs that wait for each other's connections would never be ready. Does nothing after it
   * succeeded.
   * @throws {DatabaseUnavailable}
   */
  async open(): Promise<void> {
    if (this.#isOpen) return;
    await this.#queue.run(async () => {
      const queries = Array.from({ length: this.#poolSize }, () => this.#pool.query('select 1'));
      const outcomes = await Promise.allSettled(queries);
      const isConnected = outcomes.some(({ status }) => status === 'fulfilled');
      for (const outcome of outcomes) {
        if (outcome.status === 'fulfilled') continue;
        if (!isConnected || causeCodeOf(outcome.reason) !== TOO_MANY_CONNECTIONS) throw outcome.reason;
      }
    });
    this.#isOpen = true;
  }

  /**
   * Runs a single query.
   * @throws {DatabaseUnavailable} when PostgreSQL is unreachable or too slow. Other errors are passed on unchanged.
   */
  async query<Row extends QueryResultRow>(text: string, values: unknown[] = []): Promise<readonly Row[]> {
    if (this.#pool.ending) throw new DatabaseUnavailable();
    // `Pool.query` closes the connection after every error, also after a timeout.
    const { rows } = await this.#queue.run(() => this.#pool.query<Row>(text, values));
    return rows;
  }

  get use(): PoolUse {
    return this.#queue.use;
  }

  close(): Promise<void> {
    return this.#pool.end();
  }
}
