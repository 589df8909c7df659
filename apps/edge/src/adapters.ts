import { join } from 'node:path';
import {
  type EdgeLog,
  type EdgeOptions,
  type EdgeTlsOptions,
  loggedResponses,
  measuredResponses,
  PostgresCertificateChangeFeed,
  PostgresCertificateDirectory,
  PostgresSiteChangeFeed,
  PostgresSiteDirectory,
  RuntimeClient,
} from '@homeport/hosting/server';
import { ObservedBlobStore } from '@homeport/platform/server/blobs';
import { S3BlobStore } from '@homeport/platform/server/storage';
import { PostgresPool } from '@homeport/platform/server/postgres';
import { HealthMonitor } from '@homeport/platform/server/health';
import { LoadShedder } from '@homeport/platform/server/node-http';
import { createClientConnectionResolver } from '@homeport/platform/server/network';
import { SecretBox } from '@homeport/platform/server/secrets';
import { callObserver, OutageLog } from '@homeport/platform/server/observability';
import type { Tracing } from '@homeport/platform/server/tracing';
import { s3OptionsOf } from '@homeport/platform/server/config';
import { SiteHostnames } from '@homeport/hosting/contracts';
import type { Logger } from 'pino';
import type { EdgeConfig } from './config';
import type { EdgeObserver } from './observe-edge';

export interface EdgeAdapters extends EdgeOptions {
  readonly pool: PostgresPool;
  readonly shedder: LoadShedder;
}

/** What watches the calls of dependencies. */
interface Observers {
  /** Undefined without metrics. */
  readonly observer?: EdgeObserver | undefined;
  /** Undefined without tracing. */
  readonly tracing?: Tracing | undefined;
}

/** The composition root: selects the adapter for each port. */
export function adaptersFor(config: EdgeConfig, log: Logger, { observer, tracing }: Observers = {}): EdgeAdapters {
  const onCall = callObserver(observer?.onCall, tracing?.onCall);
  const databaseOutages = new OutageLog('postgres', log, { onCall });
  const pool = new PostgresPool({
    url: config.DATABASE_URL,
    poolSize: config.DATABASE_POOL_SIZE,
    applicationName: 'homeport-edge',
    outages: databaseOutages,
  });
  const hostnames = new SiteHostnames(config.PLATFORM_DOMAIN);
  const logged = loggedResponses({
    requests: config.EDGE_REQUEST_LOG,
    hostnames,
    log,
    traceIdOf: tracing?.traceIdOf,
  });
  const directory = new PostgresSiteDirectory(pool, hostnames);
  const checkDatabase = () => pool.open().then(() => directory.ready());
  const storageOutages = new OutageLog('storage', log, { onCall });
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
        { name: 'postgres', gates: true, outages: databaseOutages, check: checkDatabase },
        { name: 'storage', gates: false, outages: storageOutages, check: (signal) => blobs.ready(signal) },
      ],
    }),
    log: edgeLogOn(log),
    trace: tracing?.serve,
    shedder: new LoadShedder({
      onBegin: () => log.warn('overloaded: requests are refused'),
      onEnd: (refused) => log.warn({ refused }, 'no longer overloaded'),
    }),
    streamOutages: new OutageLog('edge-streams', log),
    ...(config.RUNTIME_DIR !== undefined && { runtime: new RuntimeClient(join(config.RUNTIME_DIR, 'runtime.sock')) }),
    tls: tlsOptionsOf(config, pool, databaseOutages),
    responses: observer ? measuredResponses(logged, observer.onVisit) : logged,
  };
}

/** Without keys there is no port for TLS: the configuration checks that. */
function tlsOptionsOf(
  { DATABASE_URL, EDGE_TLS_PORT, SECRETS_KEYS }: EdgeConfig,
  pool: PostgresPool,
  outages: OutageLog,
): EdgeTlsOptions | undefined {
  const [newest] = SECRETS_KEYS ?? [];
  if (EDGE_TLS_PORT === undefined || !SECRETS_KEYS || !newest) return undefined;
  return {
    port: EDGE_TLS_PORT,
    directory: new PostgresCertificateDirectory(pool, new SecretBox(SECRETS_KEYS)),
    changes: new PostgresCertificateChangeFeed(DATABASE_URL, outages),
    ticketSecret: newest.key,
  };
}

function edgeLogOn(log: Logger): EdgeLog {
  return {
    warn: (error, what) => log.warn({ err: error }, what),
    error: (error, what) => log.error({ err: error }, what),
  };
}
