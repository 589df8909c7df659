import 'reflect-metadata';
import { setTimeout as setTimer } from 'node:timers';
import { setTimeout } from 'node:timers/promises';
import { ShutdownSteps, stopOnSignal } from '@homeport/platform/server/process';
import { migrate } from '@homeport/platform/server/database';
import { metricsFor, tracingFor } from '@homeport/platform/server/management';
import type { Tracing } from '@homeport/platform/server/tracing';
import type { Logger } from 'pino';
import { type Adapters, adaptersFor, databasesOf } from './adapters';
import { databaseOptions } from './database-options';
import type { Config } from './config';
import { createServer, type Server } from './create-server';
import { type OverdueWorkLog, overdueWorkLog } from './overdue-work';

const DRAIN_LIMIT_MS = 25_000;
/** Unfinished deploys respond with 503 at this time, while their connections are still open. */
const DEPLOYS_LIMIT_MS = 15_000;

/** Serves until a signal stops the process. Rejects when it cannot start. */
export async function serve(config: Config, log: Logger): Promise<void> {
  const migrations = await migrate(databaseOptions(config), (names) =>
    log.warn({ migrations: names }, 'the database has migrations of a newer version'),
  );
  log.info({ migrations }, migrations.length === 0 ? 'no migrations pending' : 'migrations applied');
  const metrics = await metricsFor(config);
  const observer = metrics && (await import('./observe-api')).apiObserver(metrics);
  const { TRUSTED_PROXIES: trustedProxies } = config;
  const tracing = await tracingFor(config, { service: 'homeport-api', trustedProxies, log });
  const adapters = adaptersFor(config, log, { observer, tracing });
  await Promise.all(databasesOf(adapters).map((each) => each.open()));
  const server = await createServer(config, adapters, { log, observer, tracing });
  server.health.start();
  server.changes.start();
  adapters.apps.runtime.feed.start();
  // The readiness must be known before the first request.
  await server.health.waitForFirstChecks();
  const overdueWork = overdueWorkLog(adapters, log);
  overdueWork.start();
  stopOnSignal(() => stop(server, adapters, { log, noticeMs: config.SHUTDOWN_NOTICE_MS, tracing, overdueWork }), log);
  if (config.MANAGEMENT_PORT !== undefined)
    await server.management.listen(config.MANAGEMENT_PORT, config.MANAGEMENT_HOST);
  await server.app.listen({ port: config.PORT, host: config.HOST });
  log.info({ port: config.PORT }, 'listening');
}

interface StopOptions {
  readonly log: Logger;
  readonly tracing: Tracing | undefined;
  readonly overdueWork: OverdueWorkLog;
  /** Milliseconds in which load balancers can detect that this instance is not ready. */
  readonly noticeMs: number;
}

/** Keeps serving during the notice period, then finishes pending requests up to a time limit. */
async function stop(
  server: Server,
  adapters: Adapters,
  { log, noticeMs, tracing, overdueWork }: StopOptions,
): Promise<void> {
  const { app, drain, health, changes, logs, deploys, management } = server;
  log.info('stopping');
  drain.begin();
  await setTimeout(noticeMs);
  overdueWork.stop();
  changes.stop();
  logs.stop();
  const steps = new ShutdownSteps(log, DRAIN_LIMIT_MS);
  setTimer(() => deploys.stop(), DEPLOYS_LIMIT_MS).unref();
  const requests = drain.close(DRAIN_LIMIT_MS).then((isDone) => {
    if (!isDone) log.warn('requests aborted at the drain limit');
  });
  await steps.wait({ requests, jobs: adapters.jobs.stop() });
  health.stop();
  adapters.apps.runtime.feed.stop();
  await steps.wait({ app: app.close(), management: management.close(), tracing: tracing?.stop() });
  await steps.wait({ databases: Promise.all(databasesOf(adapters).map((each) => each.close())) });
}
