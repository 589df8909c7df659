import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import {
  BareSandbox,
  BubblewrapSandbox,
  createLambdaClients,
  functionRole,
  GvisorSandbox,
  LambdaRuntime,
  LocalBundleFolders,
  observedLauncher,
  InstanceLauncher,
  type OpenVariable,
  PooledRuntime,
  PostgresRuntimeDirectory,
  PostgresRuntimeRecords,
  RUNTIME_LIMITS,
  type RuntimeProgramOptions,
  type Sandbox,
} from '@homeport/hosting/server/runtime';
import { ObservedBlobStore } from '@homeport/platform/server/blobs';
import { s3OptionsOf } from '@homeport/platform/server/config';
import { HealthMonitor } from '@homeport/platform/server/health';
import { callObserver, OutageLog } from '@homeport/platform/server/observability';
import { PostgresNotifications, PostgresPool } from '@homeport/platform/server/postgres';
import { SecretBox, variableContext } from '@homeport/platform/server/secrets';
import { S3BlobStore } from '@homeport/platform/server/storage';
import type { Tracing } from '@homeport/platform/server/tracing';
import type { Logger } from 'pino';
import type { RuntimeConfig } from './config';
import type { RuntimeObserver } from './observe-runtime';

export interface RuntimeAdapters extends RuntimeProgramOptions {
  readonly pool: PostgresPool;
  readonly health: HealthMonitor;
}

/** What watches the calls of dependencies and the starts of instances. */
interface Observers {
  /** Undefined without metrics. */
  readonly observer?: RuntimeObserver | undefined;
  /** Undefined without tracing. */
  readonly tracing?: Tracing | undefined;
}

/**
 * The composition root: selects the adapter for each port.
 * @throws {SandboxUnavailable}
 */
export async function adaptersFor(
  config: RuntimeConfig,
  log: Logger,
  { observer, tracing }: Observers = {},
): Promise<RuntimeAdapters> {
  const onCall = callObserver(observer?.onCall, tracing?.onCall);
  const outages = new OutageLog('postgres', log, { onCall });
  const pool = new PostgresPool({
    url: config.DATABASE_URL,
    poolSize: config.DATABASE_POOL_SIZE,
    applicationName: 'homeport-runtime',
    outages,
  });
  const directory = new PostgresRuntimeDirectory(pool, variableOpener(config));
  const storageOutages = new OutageLog('storage', log, { onCall });
  const blobs = new ObservedBlobStore(new S3BlobStore(s3OptionsOf(config)), storageOutages);
  const health = new HealthMonitor({
    probes: [
      { name: 'postgres', gates: true, outages, check: () => pool.open().then(() => directory.ready()) },
      { name: 'storage', gates: false, outages: storageOutages, check: (signal) => blobs.ready(signal) },
    ],
  });
  const bundles = new LocalBundleFolders({ folder: config.RUNTIME_DIR, directory, blobs });
  const { limits, createRuntime } = await runtimeOptionsFor(config, { directory, bundles, log, observer, tracing });
  return {
    pool,
    health,
    directory,
    records: new PostgresRuntimeRecords(pool, randomUUID()),
    bundles,
    createRuntime,
    onFailure: observer?.onFailure,
    trace: tracing?.serve,
    limits,
    folder: config.RUNTIME_DIR,
    notifications: new PostgresNotifications({
      url: config.DATABASE_URL,
      channel: 'homeport_runtime',
      applicationName: 'homeport-runtime-changes',
      outages,
    }),
    isHealthy: () => health.states.every(({ gates, status }) => status === 'up' || !gates),
    log: {
      warn: (error, what) => log.warn({ err: error }, what),
      error: (error, what) => log.error({ err: error }, what),
    },
  };
}

interface RuntimeDependencies extends Observers {
  readonly directory: PostgresRuntimeDirectory;
  readonly bundles: LocalBundleFolders;
  readonly log: Logger;
}

/** Runs servers as functions on AWS Lambda, or as processes on this machine. */
async function runtimeOptionsFor(
  config: RuntimeConfig,
  { directory, bundles, log, observer, tracing }: RuntimeDependencies,
): Promise<Pick<RuntimeProgramOptions, 'createRuntime' | 'limits'>> {
  const limits = RUNTIME_LIMITS;
  const common = { directory, bundles, limits, now: () => performance.now() };
  if (config.RUNTIME === 'lambda') {
    const clients = createLambdaClients({});
    const role = await functionRole(config.AWS_ACCOUNT_ID ?? '', clients.client);
    const onError = (error: unknown) => log.error({ err: error }, 'a change of a function failed');
    return { limits, createRuntime: (onLine) => new LambdaRuntime({ ...common, ...clients, role, onLine, onError }) };
  }
  const sandbox = await openSandbox(config);
  const unobserved = new InstanceLauncher({ directory, bundles, sandbox, limits });
  const launcher = observedLauncher(unobserved, (start) => {
    observer?.onStart(start);
    tracing?.onCall({ dependency: 'app', operation: 'start', ...start });
  });
  const memoryBytes = config.RUNTIME_MEMORY_BYTES;
  return {
    limits,
    createRuntime: (onLine) => new PooledRuntime({ ...common, sandbox, launcher, memoryBytes, onLine }),
  };
}

/** Variables are sealed. Without a key, no app that has one starts. */
function variableOpener({ SECRETS_KEYS }: RuntimeConfig): OpenVariable {
  const box = SECRETS_KEYS && new SecretBox(SECRETS_KEYS);
  return ({ appId, name, scope, sealed }) => {
    if (!box) throw new Error(`The variable ${name} cannot be opened: SECRETS_KEYS is not set.`);
    return box.open(sealed, variableContext(appId, name, scope));
  };
}

async function openSandbox(config: RuntimeConfig): Promise<Sandbox> {
  const { RUNTIME_DIR, RUNTIME_SANDBOX, RUNTIME_NODE = process.execPath } = config;
  const options = { runDirectory: join(RUNTIME_DIR, 'run'), node: RUNTIME_NODE };
  if (RUNTIME_SANDBOX === 'bare') return new BareSandbox(options);
  return RUNTIME_SANDBOX === 'gvisor' ? GvisorSandbox.open(options) : BubblewrapSandbox.open(options);
}
