import { join } from 'node:path';
import {
  type EdgeLog,
  type EdgeOptions,
  loggedResponses,
  PostgresSiteChangeFeed,
  PostgresSiteDirectory,
  RuntimeClient,
} from '@homeport/hosting/server';
import { ObservedBlobStore } from '@homeport/platform/server/blobs';
import { S3BlobStore } from '@homeport/platform/server/storage';
import { PostgresPool } from '@homeport/platform/server/postgres';
import { HealthMonitor } from '@homeport/platform/server/health';
import { createClientConnectionResolver } from '@homeport/platform/server/network';
import { OutageLog } from '@homeport/platform/server/observability';
import { s3OptionsOf } from '@homeport/platform/server/config';
import { SiteHostnames } from '@homeport/hosting/contracts';
import type { Logger } from 'pino';
import type { EdgeConfig } from './config';

export interface EdgeAdapters extends EdgeOptions {
  readonly pool: PostgresPool;
}

/** The composition root: selects the adapter for each port. */
export function adaptersFor(config: EdgeConfig, log: Logger): EdgeAdapters {
  const databaseOutages = new OutageLog('postgres', log);
  const pool = new PostgresPool({
    url: config.DATABASE_URL,
    poolSize: config.DATABASE_POOL_SIZE,
    applicationName: 'homeport-edge',
    outages: databaseOutages,
  });
  const hostnames = new SiteHostnames(config.PLATFORM_DOMAIN);
  const directory = new PostgresSiteDirectory(pool, hostnames);
  const storageOutages = new OutageLog('storage', log);
  const blobs = new ObservedBlobStore(new S3BlobStore(s3OptionsOf(config)), storageOutages);
  return {
    pool,
    hostnames,
    directory,
    changes: new PostgresSiteChangeFeed({
      url: config.DATABASE_URL,
      hostnames,
      outages: databaseOutages,
    }),
    blobs,
    cacheBytes: config.EDGE_CACHE_BYTES,
    connectionOf: createClientConnectionResolver(config.TRUSTED_PROXIES),
    health: new HealthMonitor({
      probes: [
        { name: 'postgres', gates: true, outages: databaseOutages, check: () => directory.ready() },
        { name: 'storage', gates: false, outages: storageOutages, check: (signal) => blobs.ready(signal) },
      ],
    }),
    log: edgeLogOn(log),
    streamOutages: new OutageLog('edge-streams', log),
    ...(config.RUNTIME_DIR !== undefined && { runtime: new RuntimeClient(join(config.RUNTIME_DIR, 'runtime.sock')) }),
    responses: loggedResponses({ requests: config.EDGE_REQUEST_LOG, hostnames, log }),
  };
}

function edgeLogOn(log: Logger): EdgeLog {
  return {
    warn: (error, what) => log.warn({ err: error }, what),
    error: (error, what) => log.error({ err: error }, what),
  };
}
