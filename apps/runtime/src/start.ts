import { RuntimeProgram } from '@homeport/hosting/server/runtime';
import type { Environment } from '@homeport/platform/server/config';
import { causeCodeOf } from '@homeport/platform/server/observability';
import { configOrExit, createLogger, effectiveConfigurationOf, stopOnSignal } from '@homeport/platform/server/process';
import type { Logger } from 'pino';
import { adaptersFor, type RuntimeAdapters } from './adapters';
import { Examination } from './examination';
import { loadConfig, RUNTIME_ENVIRONMENT_NAMES, RUNTIME_LOGGED_SETTINGS, type RuntimeConfig } from './config';

const DRAIN_LIMIT_MS = 25_000;

async function serve(config: RuntimeConfig, log: Logger): Promise<void> {
  const adapters = await adaptersFor(config, log);
  adapters.health.start();
  const runtime = new RuntimeProgram(adapters);
  const examination = new Examination(config, runtime, log);
  await Promise.all([examination.pass(), adapters.health.waitUntilHealthy()]);
  await runtime.open();
  examination.repeatIfPostponed();
  stopOnSignal(() => stop(runtime, adapters, log), log);
  log.info({ folder: config.RUNTIME_DIR }, 'listening');
}

/** Finishes pending requests up to a time limit, then stops the apps. */
async function stop(runtime: RuntimeProgram, { pool, health }: RuntimeAdapters, log: Logger): Promise<void> {
  log.info('stopping');
  if (!(await runtime.close(DRAIN_LIMIT_MS))) log.warn('requests aborted at the drain limit');
  health.stop();
  await pool.close();
}

/** Runs the runtime until a signal stops it. Exits with code 1 if it cannot start. */
export async function start(env: Environment): Promise<void> {
  const config = configOrExit(() => loadConfig(env));
  const log = createLogger(config.LOG_LEVEL, 'runtime');
  const names = { names: RUNTIME_ENVIRONMENT_NAMES, shown: RUNTIME_LOGGED_SETTINGS };
  log.info(effectiveConfigurationOf(config, env, names), 'configuration');
  await serve(config, log).catch((error: unknown) => {
    log.fatal({ cause: causeCodeOf(error), err: error }, 'could not start');
    process.exit(1);
  });
}
