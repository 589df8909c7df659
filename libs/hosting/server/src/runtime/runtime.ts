import { request } from 'node:http';
import { join } from 'node:path';
import { PostgresNotifications } from '@homeport/platform/server/postgres';
import { RuntimeServer } from './adapters/http/runtime-server';
import type { LocalBundleFolders } from './adapters/files/local-bundle-folders';
import type { PostgresRuntimeRecords } from './adapters/postgres/postgres-runtime-records';
import type { Instance } from './application/instance';
import { InstanceLauncher } from './application/instance-launcher';
import { InstanceLogs } from './application/instance-logs';
import type { RuntimeDirectory } from './application/runtime-directory.port';
import { RuntimePool } from './application/runtime-pool';
import { RuntimeStateReporter } from './application/runtime-state';
import type { Sandbox } from './application/sandbox.port';
import { StartChecks } from './application/start-checks';
import type { RuntimeLimits } from './domain/runtime-limits';

const SWEEP_MS = 250;
const REPORT_MS = 500;
const MEASURE_MS = 5_000;
/** Notifications may be lost, so unchecked deploys are also polled. */
const POLL_MS = 1_000;
const CLEAN_MS = 60_000;
const SOCKET = 'runtime.sock';

export interface RuntimeLog {
  warn(error: unknown, what: string): void;
  error(error: unknown, what: string): void;
}

export interface RuntimeOptions {
  /** Folder of the socket that edges connect to. */
  readonly folder: string;
  readonly directory: RuntimeDirectory;
  readonly records: PostgresRuntimeRecords;
  readonly bundles: LocalBundleFolders;
  readonly sandbox: Sandbox;
  readonly limits: RuntimeLimits;
  readonly memoryBytes: number;
  readonly notifications: PostgresNotifications;
  /** Whether PostgreSQL is available. */
  readonly isHealthy: () => boolean;
  readonly log: RuntimeLog;
}

/** Runs the servers of SSR apps. */
export class Runtime {
  readonly #pool: RuntimePool;
  readonly #logs: InstanceLogs;
  readonly #checks: StartChecks;
  readonly #states: RuntimeStateReporter;
  readonly #server: RuntimeServer;
  readonly #timers: ReturnType<typeof setInterval>[] = [];
  readonly #closed = new AbortController();

  constructor(private readonly options: RuntimeOptions) {
    const { directory, bundles, sandbox, limits, memoryBytes, records, log } = options;
    const now = () => performance.now();
    const onError = (error: unknown) => log.error(error, 'a request failed');
    this.#logs = new InstanceLogs({ records, limits, now, onError: () => undefined });
    this.#pool = new RuntimePool({
      directory,
      launcher: new InstanceLauncher({ directory, bundles, sandbox, limits }),
      limits,
      memoryBytes,
      now,
      onLine: this.#logs.add,
    });
    this.#checks = new StartChecks({
      pool: this.#pool,
      records,
      probe: (instance) => statusOf(instance, limits.firstByteMs),
      linesOf: (deployId) => this.#logs.linesOf(deployId),
      onError: (error) => log.warn(error, 'a start check is repeated'),
    });
    this.#states = new RuntimeStateReporter(this.#pool, records, now);
    this.#server = new RuntimeServer({ pool: this.#pool, limits, isReady: options.isHealthy, onError });
  }

  /** Listens to edges and to changes of apps. */
  async open(): Promise<void> {
    const { folder, bundles, notifications, records } = this.options;
    await bundles.open();
    await this.#quietly(() => records.removeLost());
    await this.#server.listen(join(folder, SOCKET));
    notifications.listen((payload) => this.#onNotification(payload), this.#closed.signal);
    this.#repeat(SWEEP_MS, async () => this.#pool.sweep());
    this.#repeat(REPORT_MS, async () => {
      await this.#states.report();
      await this.#logs.flush();
    });
    this.#repeat(MEASURE_MS, () => this.#pool.measure());
    this.#repeat(POLL_MS, () => this.#checkNewDeploys());
    this.#repeat(CLEAN_MS, () => this.#clean());
  }

  /** Finishes requests up to a limit, then stops all instances. */
  async close(limitMs: number): Promise<boolean> {
    const isDone = await this.#server.close(limitMs);
    this.#closed.abort();
    for (const timer of this.#timers) clearInterval(timer);
    await this.#pool.close(this.options.limits.stopGraceMs);
    await this.#quietly(() => this.#states.report());
    await this.#logs.flush();
    return isDone;
  }

  #onNotification(payload: string | undefined): void {
    if (payload === undefined) {
      const apps = new Set([...this.#pool.pools].map(({ appId }) => appId));
      for (const app of apps) void this.#quietly(() => this.#pool.refresh(app));
      return;
    }
    const [kind, id = ''] = payload.split(':', 2);
    if (kind === 'starting') void this.#checks.run(id);
    if (kind === 'app') void this.#quietly(() => this.#pool.refresh(id));
  }

  async #checkNewDeploys(): Promise<void> {
    for (const deployId of await this.options.directory.listUnchecked()) void this.#checks.run(deployId);
  }

  async #clean(): Promise<void> {
    await this.options.records.removeLost();
    const pools = [...this.#pool.pools];
    await this.options.bundles.removeUnused((id) => pools.some(({ revision }) => revision.deployId === id));
    const running = new Set(pools.flatMap(({ instances }) => [...instances].map((instance) => instance.id)));
    this.#logs.forget((id) => running.has(id));
  }

  /** Repeats work, never twice at a time. */
  #repeat(ms: number, work: () => Promise<void>): void {
    let isRunning = false;
    const timer = setInterval(() => {
      if (isRunning) return;
      isRunning = true;
      void this.#quietly(work).finally(() => (isRunning = false));
    }, ms);
    this.#timers.push(timer);
  }

  /** PostgreSQL logs its own outages; the work is repeated later. */
  async #quietly(work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if ((error as Error).name !== 'DatabaseUnavailable') this.options.log.error(error, 'background work failed');
    }
  }
}

/** Requests the first page of an instance. @returns the status. @throws {Error} without a response of HTTP. */
async function statusOf({ process }: Instance, limitMs: number): Promise<number> {
  const sent = request({
    socketPath: process?.socketPath,
    agent: false,
    path: '/',
    headers: { host: 'localhost', accept: 'text/html' },
    signal: AbortSignal.timeout(limitMs),
  });
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  sent.once('response', ({ statusCode = 0 }) => resolve(statusCode));
  sent.on('error', reject);
  // Without a listener, Node closes the connection and reports nothing.
  sent.once('upgrade', (_, tunnel) => {
    tunnel.destroy();
    reject(new Error('the server switched to another protocol'));
  });
  sent.end();
  return promise.finally(() => sent.destroy());
}
