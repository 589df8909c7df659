import {
  type EdgeLog,
  type EdgeOptions,
  PostgresSiteChanges,
  PostgresSiteDirectory,
  S3BlobStore,
} from '@homeport/apps/server';
import { type Database, databaseFor, s3OptionsOf } from '@homeport/platform/server';
import type { EdgeConfig } from './config';

/** The composition root: which adapter serves which port. */
export function adaptersFor(config: EdgeConfig, log: EdgeLog): EdgeOptions & { readonly database: Database } {
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
    probes: [
      { name: 'postgres', gates: true, check: () => directory.ready() },
      { name: 'storage', gates: false, check: (signal) => blobs.ready(signal) },
    ],
    log,
  };
}
