import 'reflect-metadata';
import { setTimeout } from 'node:timers/promises';
import { Edge, type EdgeLog } from '@homeport/apps/server';
import { configOrExit, type Database, type Environment, openLog, stopOnSignal } from '@homeport/platform/server';
import type { Logger } from 'pino';
import { adaptersFor } from './adapters';
import { type EdgeConfig, loadConfig } from './config';

/** How long a load balancer may take to notice that this instance is not ready any more. */
const NOTICE_MS = 1_000;
const DRAIN_LIMIT_MS = 25_000;
const RETRY_MS = 500;

async function serve(config: EdgeConfig, log: Logger): Promise<void> {
  const edgeLog: EdgeLog = {
    warn: (error, what) => log.warn({ err: error }, what),
    error: (error, what) => log.error({ err: error }, what),
  };
  const adapters = adaptersFor(config, edgeLog);
  const edge = new Edge(adapters);
  const port = await edge.open(config.EDGE_PORT, config.HOST);
  stopOnSignal(() => stop(edge, adapters.database, log), log);
  log.info({ port }, 'listening');
  await connect(adapters.database, edgeLog);
}

/** It may be started before PostgreSQL is; until then it is not ready. */
async function connect({ source }: Database, log: EdgeLog): Promise<void> {
  for (let wait = false; !source.isInitialized; wait = true) {
    if (wait) await setTimeout(RETRY_MS);
    await source.initialize().catch((error: unknown) => log.warn(error, 'the database is away'));
  }
}

async function stop(edge: Edge, database: Database, log: Logger): Promise<void> {
  log.info('stopping');
  edge.beginDraining();
  await setTimeout(NOTICE_MS);
  if (!(await edge.close(DRAIN_LIMIT_MS))) log.warn('cut off the requests that were left');
  if (database.source.isInitialized) await database.close();
}

/** Runs the edge until a signal ends it; the process ends with 1 when it cannot start. */
export async function start(env: Environment): Promise<void> {
  const config = configOrExit(() => loadConfig(env));
  const log = openLog(config.LOG_LEVEL, 'edge');
  await serve(config, log).catch((error: unknown) => {
    log.fatal({ err: error }, 'could not start');
    process.exit(1);
  });
}
