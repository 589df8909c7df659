import {
  type EdgeLog,
  type EdgeOptions,
  loggedResponses,
  ObservedBlobStore,
  PostgresSiteChangeFeed,
  PostgresSiteDirectory,
  S3BlobStore,
} from '@homeport/apps/server';
import { type Database, createDatabase, HealthMonitor, OutageLog, s3OptionsOf } from '@homeport/platform/server';
import type { Logger } from 'pino';
import type { EdgeConfig } from './config';

export interface EdgeAdapters extends EdgeOptions {
  readonly database: Database;
}

/** The composition root: selects the adapter for each port. */
export function adaptersFor(config: EdgeConfig, log: Logger): EdgeAdapters {
  const databaseOutages = new OutageLog('postgres', log);
  const database = createDatabase({
    url: config.DATABASE_URL,
    poolSize: config.DATABASE_POOL_SIZE,
    entities: [],
    // The API creates the tables; the edge only reads them.
    migrations: [],
    outages: databaseOutages,
  });
  const directory = new PostgresSiteDirectory(database);
  const storageOutages = new OutageLog('storage', log);
  const blobs = new ObservedBlobStore(new S3BlobStore(s3OptionsOf(config)), storageOutages);
  return {
    database,
    domain: config.PLATFORM_DOMAIN,
    directory,
    changes: new PostgresSiteChangeFeed({
      url: config.DATABASE_URL,
      outages: databaseOutages,
    }),
    blobs,
    cacheBytes: config.EDGE_CACHE_BYTES,
    health: new HealthMonitor({
      probes: [
        {
          name: 'postgres',
          gates: true,
          outages: databaseOutages,
          // Connects here, because PostgreSQL may start after the edge.
          check: async () => {
            await database.connect();
            await directory.ready();
          },
        },
        { name: 'storage', gates: false, outages: storageOutages, check: (signal) => blobs.ready(signal) },
      ],
    }),
    log: edgeLogOn(log),
    streamOutages: new OutageLog('edge-streams', log),
    responses: loggedResponses({ requests: config.EDGE_REQUEST_LOG, domain: config.PLATFORM_DOMAIN, log }),
  };
}

function edgeLogOn(log: Logger): EdgeLog {
  return {
    warn: (error, what) => log.warn({ err: error }, what),
    error: (error, what) => log.error({ err: error }, what),
  };
}
