import { randomUUID } from 'node:crypto';
import { CrashLoop } from '../domain/crash-loop';
import type { Revision } from '../domain/revision';
import type { RuntimeLimits } from '../domain/runtime-limits';
import { activeIn } from './app-instances';
import { Instance, type Lease } from './instance';
import { RuntimeFailed } from './runtime.errors';
import { describeExit, SandboxExited } from './sandbox.errors';
import type { SandboxedProcess, SandboxExit } from './sandbox.port';

/** The app could not be started: its start took too long. Failures of the runtime itself are other errors. */
class StartTooSlow extends Error {}

interface Waiter {
  readonly since: number;
  readonly resolve: (lease: Lease) => void;
  readonly reject: (error: unknown) => void;
}

export interface RevisionPoolOptions {
  readonly appId: string;
  readonly revision: Revision;
  readonly limits: RuntimeLimits;
  readonly now: () => number;
  /** Starts the server of the revision. */
  readonly launch: (instance: Instance) => Promise<SandboxedProcess>;
  /** Reports an event of an instance in its log. */
  readonly report: (instance: Instance, line: string) => void;
  /** Admits one more instance within the limits of the app. @returns false when the revision must wait. */
  readonly admitInstance: () => boolean;
}

/** The instances of one revision, and the requests that wait for one. */
export class RevisionPool {
  readonly appId: string;
  readonly revision: Revision;
  readonly #instances = new Set<Instance>();
  readonly #crashes: CrashLoop;
  #queue: Waiter[] = [];
  #lastFailure: string | undefined;

  constructor(private readonly options: RevisionPoolOptions) {
    this.appId = options.appId;
    this.revision = options.revision;
    this.#crashes = new CrashLoop(options.now);
  }

  get instances(): ReadonlySet<Instance> {
    return this.#instances;
  }

  get isReady(): boolean {
    return this.#inState('ready').length > 0;
  }

  /** Whether requests wait for an instance. */
  get hasWaiting(): boolean {
    return this.#queue.length > 0;
  }

  get isCrashLooping(): boolean {
    return this.#crashes.isLooping && !this.isReady;
  }

  /** Whether its last crashes still count: they delay the next start, or will after more of them. */
  get hasRecentCrashes(): boolean {
    return this.#crashes.isCounting;
  }

  /** Why the last start failed or the last instance crashed; undefined while the revision works. */
  get failure(): string | undefined {
    return this.#lastFailure;
  }

  /**
   * Acquires an instance for one request. Starts or resumes one when none has capacity.
   * @throws {RuntimeFailed} when the queue is full, the wait takes too long, or the server does not start.
   */
  acquire(): Promise<Lease> | Lease {
    const instance = this.#withCapacity();
    if (instance && this.#queue.length === 0) return this.#lease(instance);
    const { queueLength } = this.options.limits;
    if (this.#queue.length >= queueLength) throw new RuntimeFailed('queue-full', 'Too many requests wait.');
    return new Promise((resolve, reject) => {
      this.#queue.push({ since: this.options.now(), resolve, reject });
      this.#provide();
    });
  }

  /** Starts an instance when none is ready or on its way. */
  warm(): void {
    if (!this.isReady) this.#provide();
  }

  /** Checks all limits of time. Call it regularly. */
  sweep(): void {
    const { limits, now } = this.options;
    for (const instance of this.#instances) {
      if (instance.state === 'launching') {
        if (instance.launchedMs > limits.startMs) this.#failLaunch(instance);
      } else if (!instance.isGone) this.#crashes.survived(instance.livedMs);
      const idleMs = instance.isIdle ? now() - instance.idleSince : 0;
      if (instance.state === 'ready' && idleMs > limits.freezeAfterMs) instance.freeze();
      if (instance.state === 'frozen' && !instance.isThawing && idleMs > limits.stopAfterMs) this.stop(instance);
    }
    this.#cancelSlow();
    const expired = this.#queue.filter(({ since }) => now() - since > limits.queueMs);
    this.#queue = this.#queue.filter((waiter) => !expired.includes(waiter));
    for (const { reject } of expired) reject(new RuntimeFailed('queue-full', 'No instance became free in time.'));
    // Another revision of the app may have become idle.
    if (this.hasWaiting) this.#provide();
  }

  /** Ends an instance: SIGTERM first, SIGKILL after the grace period. Its requests are cut off when it exits. */
  stop(instance: Instance): void {
    if (instance.isGone || instance.state === 'draining') return;
    // A server that does not listen yet has nothing to finish.
    void instance.end(instance.state === 'launching' ? 0 : this.options.limits.stopGraceMs);
  }

  /** Ends all instances. Resolves when their processes have ended. */
  async close(graceMs = this.options.limits.stopGraceMs): Promise<void> {
    this.#rejectAll(new RuntimeFailed('start-failed', 'The runtime stops the app.'));
    await Promise.all([...this.#instances].map((instance) => instance.end(graceMs)));
  }

  /** Cancels requests of slow visitors, as many as wait. */
  #cancelSlow(): void {
    const leases = [...this.#instances].flatMap((instance) => [...instance.leases]);
    const slow = leases.filter(({ isSlow, canceled }) => isSlow && !canceled.aborted);
    for (const lease of slow.slice(0, this.#queue.length)) lease.cancel();
  }

  #withCapacity(): Instance | undefined {
    const { concurrency } = this.options.limits;
    return this.#inState('ready')
      .filter(({ hasEnded, leases }) => !hasEnded && leases.size < concurrency)
      .reduce<Instance | undefined>(
        (best, each) => (best && best.leases.size <= each.leases.size ? best : each),
        undefined,
      );
  }

  #inState(state: Instance['state']): Instance[] {
    return [...this.#instances].filter((instance) => instance.state === state);
  }

  #lease(instance: Instance): Lease {
    return instance.lease(() => this.#dispatch());
  }

  #dispatch(): void {
    for (let instance = this.#withCapacity(); instance && this.#queue.length > 0; instance = this.#withCapacity())
      this.#queue.shift()?.resolve(this.#lease(instance));
    if (this.#queue.length > 0) this.#provide();
  }

  /** Makes sure that an instance is on its way, as far as the limits allow. */
  #provide(): void {
    const active = activeIn(this);
    if (active.some(({ state, isThawing }) => state === 'launching' || isThawing)) return;
    const frozen = active.find(({ state }) => state === 'frozen');
    if (frozen) return void frozen.thaw().then(() => this.#dispatch());
    const { delayMs } = this.#crashes;
    if (delayMs === 0) {
      if (this.options.admitInstance()) void this.#launch();
    } else if (active.length === 0)
      this.#rejectAll(new RuntimeFailed('runtime-crashed', `The app crashes: ${this.#lastFailure}.`, delayMs));
  }

  async #launch(): Promise<void> {
    const { launch, now } = this.options;
    const instance = new Instance(randomUUID(), now);
    this.#instances.add(instance);
    try {
      const process = await launch(instance);
      instance.launched(process);
      void process.ended.then(() => (instance.hasEnded = true));
      void process.exited.then((exit) => this.#onExit(instance, exit));
      if (instance.state !== 'launching') return void process.stop(0);
      await process.listening;
      if (instance.state !== 'launching') return;
      instance.become('ready');
      this.#lastFailure = undefined;
      this.#dispatch();
    } catch (error) {
      this.#onLaunchError(instance, error);
    }
  }

  #failLaunch(instance: Instance): void {
    const { limits } = this.options;
    this.#onLaunchError(instance, new StartTooSlow(`it did not listen within ${limits.startMs / 1_000} s`));
    void instance.process?.stop(0);
  }

  #onLaunchError(instance: Instance, error: unknown): void {
    if (error instanceof SandboxExited) this.#onExit(instance, error.exit);
    else if (error instanceof StartTooSlow) this.#crash(instance, error.message);
    else {
      // The runtime failed, not the app.
      if (!instance.isGone) instance.become('crashed');
      this.#instances.delete(instance);
      // Where other instances run, requests wait for these.
      if (!this.isReady) this.#rejectAll(error);
    }
  }

  #onExit(instance: Instance, exit: SandboxExit): void {
    if (instance.isGone) return;
    if (instance.state !== 'draining') return this.#crash(instance, describeExit(exit));
    instance.become('stopped');
    this.#instances.delete(instance);
    this.options.report(instance, 'The server stopped.');
    this.#dispatch();
  }

  #crash(instance: Instance, reason: string): void {
    const isStart = instance.state === 'launching';
    if (instance.isGone) return;
    instance.become('crashed');
    this.#instances.delete(instance);
    this.#crashes.crashed(instance.livedMs);
    this.#lastFailure = reason;
    this.options.report(instance, isStart ? `The start failed: ${reason}.` : `The server crashed: ${reason}.`);
    if (isStart && !this.isReady) this.#rejectAll(new RuntimeFailed('start-failed', `The start failed: ${reason}.`));
    this.#dispatch();
  }

  #rejectAll(error: unknown): void {
    const waiting = this.#queue;
    this.#queue = [];
    for (const { reject } of waiting) reject(error);
  }
}
