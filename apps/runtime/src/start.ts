import { RuntimeProgram } from '@homeport/hosting/server/runtime';
import type { Environment } from '@homeport/platform/server/config';
import { metricsFor, openManagement, tracingFor } from '@homeport/platform/server/management';
import {
  configOrExit,
  createLogger,
  effectiveConfigurationOf,
  ShutdownSteps,
  startFailureOf,
  stopOnSignal,
} from '@homeport/platform/server/process';
import type { Logger } from 'pino';
import { adaptersFor, type RuntimeAdapters } from './adapters';
import { Examination } from './examination';
import { loadConfig, RUNTIME_ENVIRONMENT_NAMES, RUNTIME_LOGGED_SETTINGS, type RuntimeConfig } from './config';

const DRAIN_LIMIT_MS = 25_000;

async function serve(config: RuntimeConfig, log: Logger): Promise<void> {
  const metrics = await metricsFor(config);
  const observer = metrics && (await import('./observe-runtime')).runtimeObserver(metrics);
  // Only edges of this machine connect, so that their traces continue.
  const tracing = await tracingFor(config, { service: 'homeport-runtime', trustedProxies: 'all', log });
  const adapters = await adaptersFor(config, log, { observer, tracing });
  const { health, pool, isHealthy } = adapters;
  health.start();
  const runtime = new RuntimeProgram(adapters);
  let isOpen = false;
  const memoryLimitBytes = config.RUNTIME === 'pooled' ? config.RUNTIME_MEMORY_BYTES : undefined;
  const folder = config.RUNTIME_DIR;
  observer?.observe({ runtime, health, pool, folder, memoryLimitBytes, isReady: () => isOpen && isHealthy() });
  // Operators see why a runtime does not become ready.
  const management = await openManagement(config, metrics, log);
  const examination = new Examination(config, runtime, log);
  await Promise.all([examination.pass(), health.waitUntilHealthy()]);
  await runtime.open();
  isOpen = true;
  examination.repeatIfPostponed();
  stopOnSignal(async () => {
    isOpen = false;
    const steps = new ShutdownSteps(log, DRAIN_LIMIT_MS + adapters.limits.stopGraceMs);
    await stop(runtime, adapters, log);
    await steps.wait({ database: pool.close(), management: management?.close(), tracing: tracing?.stop() });
  }, log);
  log.info({ folder: config.RUNTIME_DIR }, 'listening');
}

/** Finishes pending requests up to a time limit, then stops the apps. */
async function stop(runtime: RuntimeProgram, { health }: RuntimeAdapters, log: Logger): Promise<void> {
  log.info('stopping');
  if (!(await runtime.close(DRAIN_LIMIT_MS))) log.warn('requests aborted at the drain limit');
  health.stop();
}

/** Runs the runtime until a signal stops it. Exits with code 1 if it cannot start. */
export async function start(env: Environment): Promise<void> {
  const config = configOrExit(() => loadConfig(env));
  const log = createLogger(config.LOG_LEVEL, 'runtime');
  const names = { names: RUNTIME_ENVIRONMENT_NAMES, shown: RUNTIME_LOGGED_SETTINGS };
  log.info(effectiveConfigurationOf(config, env, names), 'configuration');
  await serve(config, log).catch((error: unknown) => {
    log.fatal(startFailureOf(error, config), 'could not start');
    process.exit(1);
  });
}
