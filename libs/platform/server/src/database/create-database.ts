import { DataSource } from 'typeorm';
import { JobQueue } from '../jobs/job-queue';
import { TimeoutClosingClient } from './timeout-closing-client';
import { Database, DATABASE_OPERATION, type DatabaseOptions } from './database';

const MIGRATION_LOCK = 0x686f6d65;

/**
 * The connection pool, with every wait bounded: TypeORM and node-postgres wait for ever by default, and a frozen
 * server never runs into its own statement time-out, so the client side has one as well.
 */
export function createDatabase(options: DatabaseOptions): Database {
  const source = dataSource(options, {
    Client: TimeoutClosingClient,
    max: options.poolSize,
    connectionTimeoutMillis: 500,
    statement_timeout: 2_000,
    query_timeout: options.queryTimeoutMs ?? 2_500,
    lock_timeout: 1_000,
    idle_in_transaction_session_timeout: 5_000,
    idleTimeoutMillis: 0,
    maxLifetimeSeconds: 1_800,
    keepAlive: true,
  });
  return new Database(source, options.poolSize, options.outages);
}

/**
 * Brings the schema up to date, over connections of its own: a migration may take longer than any request.
 * Several instances may start at once: the first one works, the others wait for it.
 * @returns the names of the migrations that were applied, in order; none when the schema was up to date.
 */
export async function migrate(options: DatabaseOptions): Promise<readonly string[]> {
  const database = await dataSource(options, { max: 2, connectionTimeoutMillis: 5_000 }).initialize();
  try {
    const lock = database.createQueryRunner();
    await lock.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
    const applied = await database.runMigrations();
    await JobQueue.install(database);
    await lock.release();
    return applied.map(({ name }) => name);
  } finally {
    await database.destroy();
  }
}

function dataSource(options: DatabaseOptions, pool: Record<string, unknown>): DataSource {
  return new DataSource({
    type: 'postgres',
    url: options.url,
    applicationName: 'homeport-api',
    entities: [...options.entities],
    migrations: [...options.migrations],
    migrationsTableName: 'homeport_migrations',
    migrationsTransactionMode: 'each',
    // Without a handler an idle connection that breaks would end the process.
    poolErrorHandler: (error: unknown) => options.outages?.failed(error, DATABASE_OPERATION),
    extra: pool,
  });
}
