import { ChunkPace } from '../domain/chunk-pace';
import { mayBecome, type InstanceState } from '../domain/instance-state';
import type { SandboxedProcess } from './sandbox.port';

/** The lines that a failed start reports. */
const LAST_LINES = 50;

/** Connections to an instance that are kept for later requests. */
export interface KeptConnections {
  destroy(): void;
}

/** The right to send one request to an instance. Release it when the response has ended. */
export interface Lease {
  readonly instance: Instance;
  /** Whether the response is a stream or a WebSocket, which may outlive a switch for longer. */
  isStream: boolean;
  /** Whether the visitor sends or reads so slowly that the request may be canceled while others wait. */
  isSlow: boolean;
  /** Aborted when the request is canceled. */
  readonly canceled: AbortSignal;
  cancel(): void;
  release(): void;
}

/** A running server of a revision. */
export class Instance {
  readonly leases = new Set<Lease>();
  readonly chunkPace: ChunkPace;
  /** Closed before the instance is suspended: an app that wakes up closes connections whose time has passed. */
  connections: KeptConnections | undefined;
  process: SandboxedProcess | undefined;
  requests = 0;
  memoryBytes = 0;
  isThawing = false;
  /** Whether its main process has exited. What it leaves is removed before its state says so. */
  hasEnded = false;
  idleSince: number;
  #state: InstanceState = 'launching';
  #launchedAt: number | undefined;
  #lastLines: string[] = [];
  /** Suspending and resuming happen one after the other. */
  #suspension: Promise<void> = Promise.resolve();

  constructor(
    readonly id: string,
    private readonly now: () => number,
    readonly startedAt = now(),
    readonly startedOn = new Date(),
  ) {
    this.idleSince = startedAt;
    this.chunkPace = new ChunkPace(now);
  }

  get state(): InstanceState {
    return this.#state;
  }

  /** The last lines of its log. */
  get lastLines(): readonly string[] {
    return this.#lastLines;
  }

  get livedMs(): number {
    return this.now() - this.startedAt;
  }

  /** Time since its process exists: before, the runtime downloads the files of the deploy. */
  get launchedMs(): number {
    return this.#launchedAt === undefined ? 0 : this.now() - this.#launchedAt;
  }

  /** Whether its processes have ended. */
  get isGone(): boolean {
    return this.#state === 'stopped' || this.#state === 'crashed';
  }

  get isIdle(): boolean {
    return this.leases.size === 0;
  }

  /** Whether it can end without a loss: it runs and has no request. */
  get mayEnd(): boolean {
    return this.isIdle && !this.isThawing && (this.#state === 'ready' || this.#state === 'frozen');
  }

  /** @throws {Error} when the change is not allowed. */
  become(state: InstanceState): void {
    if (!mayBecome(this.#state, state)) throw new Error(`An instance cannot change from ${this.#state} to ${state}.`);
    this.#state = state;
    if (state !== 'ready') this.#closeConnections();
    else this.idleSince = this.now();
  }

  launched(process: SandboxedProcess): void {
    this.process = process;
    this.#launchedAt = this.now();
  }

  remember(line: string): void {
    this.#lastLines = [...this.#lastLines.slice(1 - LAST_LINES), line];
  }

  /** @param onRelease called once, after the lease has ended. */
  lease(onRelease: () => void): Lease {
    const controller = new AbortController();
    const lease: Lease = {
      instance: this,
      isStream: false,
      isSlow: false,
      canceled: controller.signal,
      cancel: () => controller.abort(),
      release: () => {
        if (!this.leases.delete(lease)) return;
        if (this.isIdle) this.idleSince = this.now();
        onRelease();
      },
    };
    this.leases.add(lease);
    this.requests += 1;
    return lease;
  }

  /** Updates `memoryBytes`, which stays as it is when the memory cannot be read. */
  async measure(): Promise<void> {
    this.memoryBytes = (await this.process?.memoryBytes().catch(() => undefined)) ?? this.memoryBytes;
  }

  freeze(): void {
    this.become('frozen');
    this.#suspension = this.#suspension.then(() => this.process?.freeze()).catch(() => undefined);
  }

  /** Resolves when the instance is ready, or has crashed meanwhile. */
  async thaw(): Promise<void> {
    this.isThawing = true;
    this.#suspension = this.#suspension.then(() => this.process?.thaw());
    await this.#suspension.catch(() => undefined);
    this.isThawing = false;
    if (this.#state === 'frozen') this.become('ready');
  }

  /** Ends its processes: SIGTERM first, SIGKILL after the grace period. Resolves when they have ended. */
  async end(graceMs: number): Promise<void> {
    if (!this.isGone && this.#state !== 'draining') this.become('draining');
    await this.#suspension.catch(() => undefined);
    await this.process?.stop(graceMs);
  }

  #closeConnections(): void {
    this.connections?.destroy();
    this.connections = undefined;
  }
}
