import { join } from 'node:path';
import { PostgresNotifications } from '@homeport/platform/server/postgres';
import { RuntimeServer, type RuntimeServerOptions } from './adapters/http/runtime-server';
import type { LocalBundleFolders } from './adapters/files/local-bundle-folders';
import type { PostgresRuntimeRecords } from './adapters/postgres/postgres-runtime-records';
import { InstanceLogs } from './application/instance-logs';
import { refreshApp } from './application/refresh-app';
import type { RuntimeDirectory } from './application/runtime-directory.port';
import type { InstanceLine } from './application/runtime-pool';
import type { RuntimeFailure } from './application/runtime.errors';
import type { Runtime } from './application/runtime.port';
import { RuntimeStateReporter } from './application/runtime-state';
import { StartChecks } from './application/start-checks';
import type { InstanceState } from './domain/instance-state';
import type { RuntimeLimits } from './domain/runtime-limits';

const SWEEP_MS = 250;
const REPORT_MS = 500;
/** Notifications may be lost, so unchecked deploys are also polled. */
const POLL_MS = 1_000;
const CLEAN_MS = 60_000;
const SOCKET = 'runtime.sock';

export interface RuntimeLog {
  warn(error: unknown, what: string): void;
  error(error: unknown, what: string): void;
}

/** What the instances of this runtime do. */
export interface InstancesUse {
  readonly byState: ReadonlyMap<InstanceState, number>;
  /** As last measured. */
  readonly memoryBytes: number;
  /** Revisions in a crash loop. */
  readonly crashLooping: number;
}

export interface RuntimeProgramOptions {
  /** Folder of the socket that edges connect to. */
  readonly folder: string;
  readonly directory: RuntimeDirectory;
  readonly records: PostgresRuntimeRecords;
  readonly bundles: LocalBundleFolders;
  /** @param onLine stores a line of the log of an app. */
  readonly createRuntime: (onLine: (line: InstanceLine) => void) => Runtime;
  readonly limits: RuntimeLimits;
  readonly notifications: PostgresNotifications;
  /** Whether PostgreSQL is available. */
  readonly isHealthy: () => boolean;
  readonly log: RuntimeLog;
  /** Receives each request without a response of its app. Default: not counted. */
  readonly onFailure?: ((failure: RuntimeFailure) => void) | undefined;
  /** Handles a request in a span. Default: not traced. */
  readonly trace?: RuntimeServerOptions['trace'];
}

/** Connects a runtime with edges, and with the API through PostgreSQL. */
export class RuntimeProgram {
  readonly #runtime: Runtime;
  readonly #logs: InstanceLogs;
  readonly #checks: StartChecks;
  readonly #states: RuntimeStateReporter;
  readonly #server: RuntimeServer;
  readonly #timers: ReturnType<typeof setInterval>[] = [];
  readonly #closed = new AbortController();

  constructor(private readonly options: RuntimeProgramOptions) {
    const { directory, limits, records, log } = options;
    const now = () => performance.now();
    const onError = (error: unknown) => log.error(error, 'a request failed');
    this.#logs = new InstanceLogs({ records, limits, now, onError: () => undefined });
    const runtime = options.createRuntime(this.#logs.add);
    this.#runtime = runtime;
    this.#checks = new StartChecks({
      runtime,
      directory,
      records,
      linesOf: (deployId) => this.#logs.linesOf(deployId),
      flushLogs: () => this.#logs.flush(),
      onError: (error) => log.warn(error, 'a start check is repeated'),
    });
    this.#states = new RuntimeStateReporter(runtime, records, now);
    this.#server = new RuntimeServer({
      runtime,
      isReady: options.isHealthy,
      onError,
      onFailure: options.onFailure,
      trace: options.trace,
    });
  }

  get instances(): InstancesUse {
    const revisions = [...this.#runtime.revisions];
    const instances = revisions.flatMap((revision) => [...revision.instances]);
    const byState = new Map<InstanceState, number>();
    for (const { state } of instances) byState.set(state, (byState.get(state) ?? 0) + 1);
    return {
      byState,
      memoryBytes: instances.reduce((sum, { memoryBytes }) => sum + memoryBytes, 0),
      crashLooping: revisions.filter(({ isCrashLooping }) => isCrashLooping).length,
    };
  }

  /** Resolves when apps may run. @throws {Error} that says what is missing, such as SandboxBreached. */
  ready(signal: AbortSignal): Promise<void> {
    return this.#runtime.ready(signal);
  }

  /** Listens to edges and to changes of apps. */
  async open(): Promise<void> {
    const { folder, bundles, notifications, records } = this.options;
    await bundles.open();
    await this.#quietly(() => records.removeLost());
    await this.#server.listen(join(folder, SOCKET));
    notifications.listen((payload) => this.#onNotification(payload), this.#closed.signal);
    this.#repeat(SWEEP_MS, async () => this.#runtime.sweep());
    this.#repeat(REPORT_MS, async () => {
      await this.#states.report();
      await this.#logs.flush();
    });
    this.#repeat(POLL_MS, () => this.#checkNewDeploys());
    this.#repeat(CLEAN_MS, () => this.#clean());
  }

  /** Finishes requests up to a limit, then stops all instances. */
  async close(limitMs: number): Promise<boolean> {
    const isDone = await this.#server.close(limitMs);
    this.#closed.abort();
    for (const timer of this.#timers) clearInterval(timer);
    await this.#runtime.close(this.options.limits.stopGraceMs);
    await this.#quietly(() => this.#states.report());
    await this.#logs.flush();
    return isDone;
  }

  #onNotification(payload: string | undefined): void {
    if (payload === undefined) {
      const apps = new Set([...this.#runtime.revisions].map(({ appId }) => appId));
      for (const app of apps) void this.#refresh(app);
      return;
    }
    const [kind, id = ''] = payload.split(':', 2);
    if (kind === 'starting') void this.#checks.run(id);
    if (kind === 'app') void this.#refresh(id);
  }

  #refresh(appId: string): Promise<void> {
    const { directory } = this.options;
    return this.#quietly(() => refreshApp(appId, { runtime: this.#runtime, directory }));
  }

  async #checkNewDeploys(): Promise<void> {
    for (const deployId of await this.options.directory.listUnchecked()) void this.#checks.run(deployId);
  }

  async #clean(): Promise<void> {
    await this.options.records.removeLost();
    await this.#retireDeleted();
    const running = [...this.#runtime.revisions].filter(({ instances }) => instances.size > 0);
    await this.options.bundles.removeUnused((id) => running.some(({ revision }) => revision.deployId === id));
    const instances = new Set(running.flatMap((each) => [...each.instances].map(({ id }) => id)));
    this.#logs.forget((id) => instances.has(id));
  }

  /** A notification may be lost, and functions outlive the runtime that published them. */
  async #retireDeleted(): Promise<void> {
    const revisions = [...this.#runtime.revisions].map(({ revision }) => revision);
    const runnable = await this.options.directory.findRunnable([...new Set(revisions.map(({ deployId }) => deployId))]);
    for (const revision of revisions) if (!runnable.has(revision.deployId)) await this.#runtime.retire(revision);
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
