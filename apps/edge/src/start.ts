import { setTimeout } from 'node:timers/promises';
import { Edge } from '@homeport/hosting/server';
import {
  configOrExit,
  effectiveConfigurationOf,
  createLogger,
  ShutdownSteps,
  startFailureOf,
  stopOnSignal,
} from '@homeport/platform/server/process';
import { type ManagementServer, metricsFor, openManagement, tracingFor } from '@homeport/platform/server/management';
import type { PostgresPool } from '@homeport/platform/server/postgres';
import { type Environment } from '@homeport/platform/server/config';
import type { Tracing } from '@homeport/platform/server/tracing';
import type { Logger } from 'pino';
import { adaptersFor } from './adapters';
import { EDGE_ENVIRONMENT_NAMES, EDGE_LOGGED_SETTINGS, type EdgeConfig, loadConfig } from './config';

const DRAIN_LIMIT_MS = 25_000;

async function serve(config: EdgeConfig, log: Logger): Promise<void> {
  const metrics = await metricsFor(config);
  const observer = metrics && (await import('./observe-edge')).edgeObserver(metrics);
  const { TRUSTED_PROXIES: trustedProxies } = config;
  const tracing = await tracingFor(config, { service: 'homeport-edge', trustedProxies, log });
  const adapters = adaptersFor(config, log, { observer, tracing });
  const edge = new Edge(adapters);
  observer?.observe({ edge, health: adapters.health, pool: adapters.pool, shedder: adapters.shedder });
  // Operators see why an edge does not become ready.
  const management = await openManagement(config, metrics, log);
  // Before this point a signal ends the process at once: there are no requests to finish.
  const port = await edge.open(config.EDGE_PORT, config.HOST);
  stopOnSignal(
    () => stop(edge, { pool: adapters.pool, management, tracing }, { log, noticeMs: config.SHUTDOWN_NOTICE_MS }),
    log,
  );
  log.info({ port, tlsPort: edge.tlsPort }, 'listening');
}

interface Opened {
  readonly pool: PostgresPool;
  readonly management: ManagementServer | undefined;
  readonly tracing: Tracing | undefined;
}

interface StopOptions {
  readonly log: Logger;
  /** Milliseconds in which load balancers can detect that this instance is not ready. */
  readonly noticeMs: number;
}

/** Keeps serving during the notice period, then finishes pending requests up to a time limit. */
async function stop(edge: Edge, { pool, management, tracing }: Opened, { log, noticeMs }: StopOptions): Promise<void> {
  log.info('stopping');
  edge.beginDraining();
  await setTimeout(noticeMs);
  const steps = new ShutdownSteps(log, DRAIN_LIMIT_MS);
  if (!(await edge.close(DRAIN_LIMIT_MS))) log.warn('requests aborted at the drain limit');
  await steps.wait({ database: pool.close(), management: management?.close(), tracing: tracing?.stop() });
}

/** Runs the edge until a signal stops it. Exits with code 1 if it cannot start. */
export async function start(env: Environment): Promise<void> {
  const config = configOrExit(() => loadConfig(env));
  const log = createLogger(config.LOG_LEVEL, 'edge');
  const names = { names: EDGE_ENVIRONMENT_NAMES, shown: EDGE_LOGGED_SETTINGS };
  log.info(effectiveConfigurationOf(config, env, names), 'configuration');
  await serve(config, log).catch((error: unknown) => {
    log.fatal(startFailureOf(error, config), 'could not start');
    process.exit(1);
  });
}
