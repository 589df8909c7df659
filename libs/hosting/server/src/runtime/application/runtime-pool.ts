import { isOlderVersion, type Revision, revisionKey } from '../domain/revision';
import type { RuntimeLimits } from '../domain/runtime-limits';
import { activeIn, admitInstance } from './app-instances';
import type { Instance, Lease } from './instance';
import type { InstanceLauncher } from './instance-launcher';
import { RevisionPool } from './revision-pool';
import type { RuntimeDirectory, ServerRecord } from './runtime-directory.port';
import { RevisionNotFound, RuntimeFailed } from './runtime.errors';
import type { RunningRevision } from './runtime.port';
import type { SandboxedProcess, SandboxLine } from './sandbox.port';

/** Memory that a new instance is expected to take until it is measured. */
const NEW_INSTANCE_BYTES = 64 * 1024 * 1024;

/** A line of the log of an instance. */
export interface InstanceLine extends SandboxLine {
  readonly appId: string;
  readonly deployId: string;
  readonly instanceId: string;
}

export interface RuntimePoolOptions {
  readonly directory: Pick<RuntimeDirectory, 'findServer'>;
  readonly launcher: Pick<InstanceLauncher, 'launch'>;
  readonly limits: RuntimeLimits;
  /** Memory for all instances together. */
  readonly memoryBytes: number;
  /** Monotonic clock in milliseconds. */
  readonly now: () => number;
  readonly onLine: (line: InstanceLine) => void;
}

interface Replacement {
  readonly since: number;
  /** Whether a roll-back may need it: not after a change of the variables. */
  readonly isRollbackTarget: boolean;
}

/** The instances of all apps on this machine. */
export class RuntimePool {
  readonly #pools = new Map<string, RevisionPool>();
  readonly #opening = new Map<string, Promise<RevisionPool>>();
  /** Revisions that another one has replaced. */
  readonly #replaced = new Map<RevisionPool, Replacement>();
  /** Revisions whose start is being checked. */
  readonly #checking = new Set<RevisionPool>();
  #isClosing = false;

  constructor(private readonly options: RuntimePoolOptions) {}

  get pools(): Iterable<RevisionPool> {
    return this.#pools.values();
  }

  get revisions(): readonly RunningRevision[] {
    return [...this.#pools.values()].map((pool) => {
      const { appId, revision, instances, isReady, isCrashLooping, failure } = pool;
      return { appId, revision, instances, isReady, isCrashLooping, failure, isReplaced: this.#replaced.has(pool) };
    });
  }

  /**
   * Acquires an instance of a revision for one request.
   * @throws {RuntimeFailed} @throws {RevisionNotFound} @throws {DatabaseUnavailable}
   */
  async acquire(revision: Revision): Promise<Lease> {
    const pool = this.#pools.get(revisionKey(revision)) ?? (await this.#open(revision));
    // With changed variables, the old instances serve until a new one is ready. Another deploy is shown at once.
    const older = pool.isReady ? undefined : this.#readyOlderVersion(pool.revision);
    if (older) {
      this.#warm(pool);
      return older.acquire();
    }
    this.#replaced.delete(pool);
    const lease = await pool.acquire();
    this.#replaceOthers(pool);
    return lease;
  }

  /**
   * Starts a deploy once and keeps the instance for the first requests.
   * @throws {RuntimeFailed} when it does not start. @throws {RevisionNotFound} @throws {DatabaseUnavailable}
   */
  async check(deployId: string): Promise<Lease> {
    const server = await this.options.directory.findServer(deployId);
    if (!server) throw new RevisionNotFound(deployId);
    const pool = await this.#open({ deployId, version: server.version, scope: server.startScope });
    this.#checking.add(pool);
    try {
      return await pool.acquire();
    } finally {
      this.#checking.delete(pool);
    }
  }

  /** Starts an instance of a revision when none is ready or on its way. */
  async warm(revision: Revision): Promise<void> {
    this.#warm(await this.#open(revision));
  }

  /** Ends a revision that must not run any more. */
  async retire(revision: Revision): Promise<void> {
    const key = revisionKey(revision);
    const pool = this.#pools.get(key);
    if (!pool) return;
    this.#forget(key, pool);
    await pool.close();
  }

  /** Checks all limits of time. Call it regularly. */
  sweep(): void {
    for (const [key, pool] of this.#pools) {
      pool.sweep();
      const replacement = this.#replaced.get(pool);
      if (replacement) this.#sweepReplaced(pool, replacement);
      if (pool.instances.size === 0 && !pool.hasWaiting && !pool.hasRecentCrashes) this.#forget(key, pool);
    }
  }

  /** Measures the memory of all instances. */
  async measure(): Promise<void> {
    const instances = [...this.#pools.values()].flatMap((pool) => [...pool.instances]);
    await Promise.all(instances.map((instance) => instance.measure()));
  }

  /** Ends all instances. New requests are rejected. */
  async close(graceMs: number): Promise<void> {
    this.#isClosing = true;
    await Promise.all([...this.#pools.values()].map((pool) => pool.close(graceMs)));
  }

  /**
   * Starts the current version. Of the older ones only the newest that is ready still serves, so that many changes in a
   * row do not leave an instance each.
   */
  #warm(current: RevisionPool): void {
    const serving = this.#readyOlderVersion(current.revision);
    for (const pool of this.#pools.values()) {
      if (pool === serving || !isOlderVersion(pool.revision, current.revision)) continue;
      for (const instance of pool.instances) if (instance.isIdle) pool.stop(instance);
    }
    current.warm();
  }

  #readyOlderVersion(revision: Revision): RevisionPool | undefined {
    return [...this.#pools.values()].findLast((pool) => pool.isReady && isOlderVersion(pool.revision, revision));
  }

  /** A request for a revision shows that the edges have switched to it. */
  #replaceOthers(current: RevisionPool): void {
    for (const pool of this.#pools.values()) {
      const { appId, revision } = pool;
      if (pool === current || appId !== current.appId || this.#replaced.has(pool)) continue;
      const isOlder = isOlderVersion(revision, current.revision);
      const isFormerDeploy = revision.scope === 'production' && current.revision.scope === 'production';
      if (!isOlder && !(isFormerDeploy && revision.deployId !== current.revision.deployId)) continue;
      this.#replaced.set(pool, { since: this.options.now(), isRollbackTarget: !isOlder });
    }
  }

  /** Keeps one idle instance for a roll-back and ends the others when their requests are done or take too long. */
  #sweepReplaced(pool: RevisionPool, { since, isRollbackTarget }: Replacement): void {
    const { limits, now } = this.options;
    const ms = now() - since;
    const kept = isRollbackTarget ? [...pool.instances].find(({ mayEnd }) => mayEnd) : undefined;
    for (const instance of pool.instances) {
      const hasStream = [...instance.leases].some(({ isStream }) => isStream);
      const limit = hasStream ? limits.drainStreamsMs : limits.drainRequestsMs;
      if (instance.state === 'launching') continue;
      if (instance === kept) {
        if (instance.state === 'ready') instance.freeze();
      } else if (instance.isIdle || ms > limit) pool.stop(instance);
    }
  }

  #forget(key: string, pool: RevisionPool): void {
    this.#pools.delete(key);
    this.#replaced.delete(pool);
  }

  /** @returns the pool of the revision with the current version of the variables, which may be newer. */
  async #open(revision: Revision): Promise<RevisionPool> {
    const { deployId, scope } = revision;
    const running = this.#opening.get(`${deployId} ${scope}`);
    if (running) return running;
    const opening = this.#create(deployId, scope).finally(() => this.#opening.delete(`${deployId} ${scope}`));
    this.#opening.set(`${deployId} ${scope}`, opening);
    return opening;
  }

  async #create(deployId: string, scope: Revision['scope']): Promise<RevisionPool> {
    const server = await this.options.directory.findServer(deployId);
    if (!server) throw new RevisionNotFound(deployId);
    const revision = { deployId, scope, version: server.version };
    const key = revisionKey(revision);
    const known = this.#pools.get(key);
    if (known) return known;
    const { limits, now } = this.options;
    const pool: RevisionPool = new RevisionPool({
      appId: server.appId,
      revision,
      limits,
      now,
      launch: (instance) => this.#launch(instance, revision, server),
      report: (instance, line) => this.#log(instance, { revision, server }, { stream: 'system', line }),
      admitInstance: () => this.#admitInstance(pool),
    });
    this.#pools.set(key, pool);
    return pool;
  }

  /** Traffic of previews never keeps the live deploy, or the check of a new one, from starting. */
  #admitInstance(pool: RevisionPool): boolean {
    const others = [...this.#pools.values()].filter(
      (other) => other !== pool && other.appId === pool.appId && !this.#replaced.has(other),
    );
    const mayExceed = pool.revision.scope === 'production' || this.#checking.has(pool);
    return admitInstance(pool, { others, limit: this.options.limits.instances, mayExceed });
  }

  async #launch(instance: Instance, revision: Revision, server: ServerRecord): Promise<SandboxedProcess> {
    if (this.#isClosing) throw new RuntimeFailed('start-failed', 'The runtime is stopping.');
    this.#evictForMemory();
    const onLine = (line: SandboxLine) => this.#log(instance, { revision, server }, line);
    return this.options.launcher.launch({ instanceId: instance.id, revision, server, onLine });
  }

  #log(
    instance: Instance,
    { revision, server }: { readonly revision: Revision; readonly server: ServerRecord },
    line: SandboxLine,
  ): void {
    instance.remember(line.line);
    this.options.onLine({ ...line, appId: server.appId, deployId: revision.deployId, instanceId: instance.id });
  }

  /** Evicts the instances that are idle longest until a new one fits. @throws {RuntimeFailed} when it does not fit. */
  #evictForMemory(): void {
    const bytesOf = ({ memoryBytes }: Instance) => memoryBytes || NEW_INSTANCE_BYTES;
    const active = [...this.#pools.values()].flatMap((pool) => activeIn(pool).map((instance) => ({ pool, instance })));
    // The new instance is among them.
    let used = active.reduce((sum, { instance }) => sum + bytesOf(instance), 0);
    const idle = active
      .filter(({ instance }) => instance.mayEnd)
      .sort((one, other) => one.instance.idleSince - other.instance.idleSince);
    for (const { pool, instance } of idle) {
      if (used <= this.options.memoryBytes) return;
      pool.stop(instance);
      used -= bytesOf(instance);
    }
    if (used > this.options.memoryBytes)
      throw new RuntimeFailed('queue-full', 'The memory for apps is used up.', 5_000);
  }
}
