import { setTimeout } from 'node:timers/promises';
import { retry } from '@homeport/kernel';
import type { PoolConfig } from 'pg';
import { DataSource, MigrationExecutor, type QueryRunner } from 'typeorm';
import { JobQueue } from '../jobs/job-queue';
import { connectionSettings } from '../postgres/connection-settings';
import { isContention } from '../postgres/postgres-errors';
import { DATABASE_OPERATION } from '../postgres/query-queue';
import { SlowStatements } from '../postgres/slow-statements';
import { Database, type DatabaseOptions } from './database';

const MIGRATION_LOCK = 0x686f6d65;
const LOCK_POLL_MS = 250;
const MIGRATION_ATTEMPTS = 5;

/** Creates a database whose connections have a limit for every wait. */
export function createDatabase(options: DatabaseOptions): Database {
  const slowStatements = new SlowStatements();
  const source = dataSource(options, connectionSettings(options, slowStatements));
  return new Database(source, { ...options, slowStatements });
}

/**
 * Applies pending migrations over separate connections, because a migration may take longer than the time limits allow.
 * When several instances start at once, the first one migrates and the others wait for it.
 * @param reportNewer is called with the migrations of the database that are newer than those of this version, if any.
 * @returns the names of the applied migrations, in order; empty when the schema was up to date.
 */
export async function migrate(
  options: DatabaseOptions,
  reportNewer?: (names: readonly string[]) => void,
): Promise<readonly string[]> {
  const database = await dataSource(options, { max: 2, connectionTimeoutMillis: 5_000, keepAlive: true }).initialize();
  try {
    const lock = database.createQueryRunner();
    await acquireMigrationLock(lock);
    const executor = new MigrationExecutor(database);
    const pending = await executor.getPendingMigrations();
    const last = Math.max(...database.migrations.map(({ name, constructor }) => numberOf(name ?? constructor.name)));
    const isNewer = (name: string) => numberOf(name) > last;
    const newer = (await executor.getExecutedMigrations()).map(({ name }) => name).filter(isNewer);
    if (newer.length > 0) reportNewer?.(newer);
    // A migration of two tables and a query of an edge that joins them can wait for each other: PostgreSQL ends either.
    await retry(() => database.runMigrations(), { attempts: MIGRATION_ATTEMPTS, isRetryable: isContention });
    await JobQueue.install(database);
    await lock.release();
    return pending.map(({ name }) => name);
  } finally {
    await database.destroy();
  }
}

/**
 * Polls, because a statement that waits for the lock also holds a snapshot: a migration that builds an index concurrently
 * would wait for that snapshot, and so for itself.
 */
async function acquireMigrationLock(connection: QueryRunner): Promise<void> {
  for (;;) {
    const query = 'select pg_try_advisory_lock($1) as is_acquired';
    const [row] = (await connection.query(query, [MIGRATION_LOCK])) as { is_acquired: boolean }[];
    if (row?.is_acquired) return;
    await setTimeout(LOCK_POLL_MS);
  }
}

/** @returns the number at the end of a migration's name. The greatest ones are the newest. */
function numberOf(name: string): number {
  return Number(/\d+$/.exec(name)?.[0]);
}

function dataSource(options: DatabaseOptions, pool: PoolConfig): DataSource {
  return new DataSource({
    type: 'postgres',
    url: options.url,
    applicationName: 'homeport-api',
    entities: [...options.entities],
    migrations: [...options.migrations],
    migrationsTableName: 'homeport_migrations',
    migrationsTransactionMode: 'each',
    // Without a handler, a broken idle connection would end the process.
    poolErrorHandler: (error: unknown) => options.outages?.failed(error, DATABASE_OPERATION),
    extra: pool,
  });
}
