import 'reflect-metadata';
import { setTimeout } from 'node:timers/promises';
import { configOrExit, type Environment, migrate, openLog, stopOnSignal } from '@homeport/platform/server';
import type { Logger } from 'pino';
import { type Adapters, adaptersFor, databaseOptions } from './adapters';
import { type Config, loadConfig } from './config';
import { createServer, type Server } from './create-server';

/** How long a load balancer may take to notice that this instance is not ready any more. */
const NOTICE_MS = 1_000;
const DRAIN_LIMIT_MS = 25_000;

async function serve(config: Config, log: Logger): Promise<void> {
  const warn = (error: unknown, what: string) => log.warn({ err: error }, what);
  await migrate(databaseOptions(config, warn));
  const adapters = adaptersFor(config, warn);
  await Promise.all([adapters.database.open(), adapters.background.open()]);
  const server = await createServer(config, adapters, log);
  stopOnSignal(() => stop(server, adapters, log), log);
  await server.app.listen({ port: config.PORT, host: config.HOST });
  log.info({ port: config.PORT }, 'listening');
}

/** Lets everybody finish, up to a limit: what is left then is cut off, and the log says so. */
async function stop({ app, drain }: Server, { jobs, database, background }: Adapters, log: Logger): Promise<void> {
  log.info('stopping');
  drain.begin();
  await setTimeout(NOTICE_MS);
  const closed = app.close().then(() => 'closed');
  await jobs.stop();
  const limit = setTimeout(DRAIN_LIMIT_MS, 'limit', { ref: false });
  if ((await Promise.race([closed, limit])) === 'limit') log.warn('cutting off the requests that are left');
  await Promise.all([database.close(), background.close()]);
}

/** Runs the API until a signal ends it; the process ends with 1 when it cannot start. */
export async function start(env: Environment): Promise<void> {
  const config = configOrExit(() => loadConfig(env));
  const log = openLog(config.LOG_LEVEL, 'api');
  await serve(config, log).catch((error: unknown) => {
    log.fatal({ err: error }, 'could not start');
    process.exit(1);
  });
}
