import 'reflect-metadata';
import { setTimeout } from 'node:timers/promises';
import { Edge } from '@homeport/apps/server';
import {
  causeCodeOf,
  configOrExit,
  effectiveConfigurationOf,
  type Database,
  type Environment,
  createLogger,
  stopOnSignal,
} from '@homeport/platform/server';
import type { Logger } from 'pino';
import { adaptersFor } from './adapters';
import { EDGE_ENVIRONMENT_NAMES, EDGE_LOGGED_SETTINGS, type EdgeConfig, loadConfig } from './config';

const DRAIN_LIMIT_MS = 25_000;

async function serve(config: EdgeConfig, log: Logger): Promise<void> {
  const adapters = adaptersFor(config, log);
  const edge = new Edge(adapters);
  // Until it listens, a signal ends the process at once: there is nothing to finish.
  const port = await edge.open(config.EDGE_PORT, config.HOST);
  stopOnSignal(() => stop(edge, adapters.database, { log, noticeMs: config.SHUTDOWN_NOTICE_MS }), log);
  log.info({ port }, 'listening');
}

interface StopOptions {
  readonly log: Logger;
  /** How long load balancers get to notice that this instance is not ready any more. */
  readonly noticeMs: number;
}

/** Serves on through the notice, then finishes the requests that are under way, up to a limit. */
async function stop(edge: Edge, database: Database, { log, noticeMs }: StopOptions): Promise<void> {
  log.info('stopping');
  edge.beginDraining();
  await setTimeout(noticeMs);
  if (!(await edge.close(DRAIN_LIMIT_MS))) log.warn('cut off the requests that were left');
  if (database.source.isInitialized) await database.close();
}

/** Runs the edge until a signal ends it; the process ends with 1 when it cannot start. */
export async function start(env: Environment): Promise<void> {
  const config = configOrExit(() => loadConfig(env));
  const log = createLogger(config.LOG_LEVEL, 'edge');
  const names = { names: EDGE_ENVIRONMENT_NAMES, shown: EDGE_LOGGED_SETTINGS };
  log.info(effectiveConfigurationOf(config, env, names), 'configuration');
  await serve(config, log).catch((error: unknown) => {
    log.fatal({ cause: causeCodeOf(error), err: error }, 'could not start');
    process.exit(1);
  });
}
