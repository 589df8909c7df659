import {
  type EdgeLog,
  type EdgeOptions,
  PostgresSiteChanges,
  PostgresSiteDirectory,
  S3BlobStore,
} from '@homeport/apps/server';
import { type Database, databaseFor, HealthMonitor, s3OptionsOf } from '@homeport/platform/server';
import type { Logger } from 'pino';
import type { EdgeConfig } from './config';

/** The composition root: which adapter serves which port. */
export function adaptersFor(config: EdgeConfig, logger: Logger): EdgeOptions & { readonly database: Database } {
  const log: EdgeLog = {
    warn: (error, what) => logger.warn({ err: error }, what),
    error: (error, what) => logger.error({ err: error }, what),
  };
  const database = databaseFor({
    url: config.DATABASE_URL,
    poolSize: config.DATABASE_POOL_SIZE,
    entities: [],
    // The tables are somebody else's to make: this only reads.
    migrations: [],
    onPoolError: (error) => log.warn(error, 'a database connection broke'),
  });
  const directory = new PostgresSiteDirectory(database);
  const blobs = new S3BlobStore(s3OptionsOf(config));
  return {
    database,
    domain: config.PLATFORM_DOMAIN,
    directory,
    changes: new PostgresSiteChanges({
      url: config.DATABASE_URL,
      onBroken: (error) => log.warn(error, 'changes of sites are not heard of'),
    }),
    blobs,
    cacheBytes: config.EDGE_CACHE_BYTES,
    health: new HealthMonitor({
      probes: [
        {
          name: 'postgres',
          gates: true,
          // PostgreSQL may start after the edge.
          check: async () => {
            await database.connect();
            await directory.ready();
          },
        },
        { name: 'storage', gates: false, check: (signal) => blobs.ready(signal) },
      ],
      log: logger,
    }),
    log,
  };
}
