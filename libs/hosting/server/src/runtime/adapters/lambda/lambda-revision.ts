import { CrashLoop } from '../../domain/crash-loop';
import type { InstanceState } from '../../domain/instance-state';
import type { Revision } from '../../domain/revision';
import type { RuntimeLimits } from '../../domain/runtime-limits';
import { RuntimeFailed } from '../../application/runtime.errors';
import type { RunningInstance } from '../../application/runtime.port';
import { describeExit } from '../../application/sandbox.errors';
import type { SandboxLine } from '../../application/sandbox.port';

/** A copy of a function, as far as its answers show. Lambda suspends it after each request. */
export class LambdaInstance implements RunningInstance {
  state: InstanceState = 'launching';
  memoryBytes = 0;
  requests = 0;
  /** Since when it has no request; undefined during one. */
  idleSince: number | undefined;

  constructor(
    readonly id: string,
    readonly startedOn: Date,
    /** When the runtime first saw it. */
    readonly seenAt: number,
  ) {}

  /** Each answer tells the memory. */
  measure(): Promise<void> {
    return Promise.resolve();
  }
}

export interface LambdaRevisionOptions {
  readonly appId: string;
  readonly revision: Revision;
  readonly limits: RuntimeLimits;
  readonly now: () => number;
  readonly onLine: (line: SandboxLine & { readonly instanceId: string }) => void;
}

/** The published version of a revision, and the instances that answered. */
export class LambdaRevision {
  readonly appId: string;
  readonly revision: Revision;
  isPublished = false;
  /** While it is being published. */
  publishing: Promise<void> | undefined;
  /** Requests in progress. */
  active = 0;
  failure: string | undefined;
  readonly #instances = new Map<string, LambdaInstance>();
  readonly #crashes: CrashLoop;

  constructor(private readonly options: LambdaRevisionOptions) {
    this.appId = options.appId;
    this.revision = options.revision;
    this.#crashes = new CrashLoop(options.now);
  }

  get instances(): ReadonlySet<LambdaInstance> {
    return new Set(this.#instances.values());
  }

  get isReady(): boolean {
    return [...this.#instances.values()].some(({ state }) => state === 'ready');
  }

  get isCrashLooping(): boolean {
    return this.#crashes.isLooping && !this.isReady;
  }

  /** @throws {RuntimeFailed} while the revision waits after crashes, or has too many requests. */
  admit(): void {
    const { concurrency, instances } = this.options.limits;
    const { delayMs } = this.#crashes;
    if (delayMs > 0 && !this.isReady)
      throw new RuntimeFailed('runtime-crashed', `The app crashes: ${this.failure}.`, delayMs);
    if (this.active >= concurrency * instances) throw new RuntimeFailed('queue-full', 'Too many requests.');
  }

  /** An instance answers a request. */
  answering(id: string, startedOn: string): LambdaInstance {
    const known = this.#instances.get(id) ?? new LambdaInstance(id, new Date(startedOn), this.options.now());
    this.#instances.set(id, known);
    known.idleSince = undefined;
    return known;
  }

  started(instance: LambdaInstance, requests: number): void {
    instance.state = 'ready';
    instance.requests = requests;
    this.failure = undefined;
  }

  released(instance: LambdaInstance): void {
    instance.idleSince = this.options.now();
  }

  log(instance: LambdaInstance, line: SandboxLine): void {
    this.options.onLine({ stream: line.stream, line: line.line, instanceId: instance.id });
  }

  /** The server has exited, or Lambda has ended the instance. @param reason without a full stop. */
  crashed(instance: LambdaInstance, reason: string): void {
    this.#end(instance, reason, 'The server crashed');
  }

  /** @returns the failure for the request. @param exit undefined when the start took too long. */
  startFailed(instance: LambdaInstance, exit: Omit<Parameters<typeof describeExit>[0], 'isOutOfMemory'> | undefined) {
    const late = `it did not listen within ${this.options.limits.startMs / 1_000} s`;
    const reason = exit ? describeExit({ ...exit, isOutOfMemory: false }) : late;
    this.#end(instance, reason, 'The start failed');
    return new RuntimeFailed('start-failed', `The start failed: ${reason}.`);
  }

  /** Checks all limits of time. */
  sweep(): void {
    const { limits, now } = this.options;
    for (const [id, instance] of this.#instances) {
      this.#crashes.survived(now() - instance.seenAt);
      const idleMs = instance.idleSince === undefined ? 0 : now() - instance.idleSince;
      if (idleMs > limits.freezeAfterMs && instance.state === 'ready') instance.state = 'frozen';
      if (idleMs > limits.freezeAfterMs + limits.stopAfterMs) this.#instances.delete(id);
    }
  }

  #end(instance: LambdaInstance, reason: string, what: string): void {
    this.#instances.delete(instance.id);
    this.#crashes.crashed(this.options.now() - instance.seenAt);
    this.failure = reason;
    this.log(instance, { stream: 'system', line: `${what}: ${reason}.` });
  }
}
