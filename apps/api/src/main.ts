import 'reflect-metadata';
import { setTimeout } from 'node:timers/promises';
import { migrate } from '@homeport/platform/server';
import { pino } from 'pino';
import { adaptersFor, databaseOptions } from './adapters';
import { type Config, ConfigFaults, loadConfig } from './config';
import { createServer, type Server } from './create-server';

/** How long a load balancer may take to notice that this instance is not ready any more. */
const NOTICE_MS = 1_000;
const DRAIN_LIMIT_MS = 25_000;

const log = pino({
  level: process.env['LOG_LEVEL'] ?? 'info',
  base: { service: 'api' },
  redact: ['req.headers.authorization', 'req.headers.cookie'],
});

function configOrExit(): Config {
  try {
    return loadConfig(process.env);
  } catch (error) {
    if (!(error instanceof ConfigFaults)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  }
}

async function start(config: Config): Promise<void> {
  const onPoolError = (error: unknown) => log.warn({ err: error }, 'a database connection broke');
  await migrate(databaseOptions(config, onPoolError));
  const adapters = adaptersFor(config, onPoolError);
  await adapters.database.initialize();
  const server = await createServer(config, adapters, log);
  await server.app.listen({ port: config.PORT, host: config.HOST });
  log.info({ port: config.PORT }, 'listening');
  stopOnSignal(server, adapters.database);
}

function stopOnSignal({ app, drain }: Server, database: { destroy(): Promise<void> }): void {
  let stopping = false;
  const stop = async () => {
    if (stopping) process.exit(1);
    stopping = true;
    drain.begin();
    log.info('stopping');
    await setTimeout(NOTICE_MS);
    const closed = Promise.all([app.close(), setTimeout(0)]).then(() => database.destroy());
    await Promise.race([closed, setTimeout(DRAIN_LIMIT_MS, undefined, { ref: false })]);
    process.exit(0);
  };
  process.on('SIGTERM', () => void stop());
  process.on('SIGINT', () => void stop());
}

await start(configOrExit()).catch((error: unknown) => {
  log.fatal({ err: error }, 'could not start');
  process.exit(1);
});
