import { CapacityUnavailable } from '../errors/common.errors';

/** Returns a permit; calling it again does nothing. */
export type ReleasePermit = () => void;

export interface SemaphoreOptions {
  /** Permits of all owners in total. */
  readonly permits: number;
  /** Permits that one owner may hold; all permits when absent. */
  readonly permitsPerOwner?: number;
  /** Maximum number of waiting callers per owner; no limit when absent. */
  readonly queuePerOwner?: number;
  /** Maximum waiting time in milliseconds; no limit when absent. */
  readonly waitLimitMs?: number;
  /** Creates the error for a rejected caller; `CapacityUnavailable` when absent. */
  readonly rejection?: () => Error;
}

export interface AcquireOptions {
  /** The owner whose share the permit counts against. Callers without an owner share one. */
  readonly owner?: string;
  /** Aborts the waiting. */
  readonly signal?: AbortSignal;
  /** Whether the caller is served before waiting callers of normal priority, also those of other owners. */
  readonly isHighPriority?: boolean;
}

interface Waiter {
  readonly grant: () => void;
  readonly reject: (reason: unknown) => void;
}

type Priority = 'high' | 'normal';
const PRIORITIES: readonly Priority[] = ['high', 'normal'];

interface Owner {
  held: number;
  readonly waiting: Readonly<Record<Priority, Set<Waiter>>>;
}

/**
 * Limits concurrency and the share of each owner. Freed permits go to high-priority callers first, and among callers of
 * equal priority to the waiting owners in turn.
 */
export class Semaphore {
  /** Owners in the order in which they are offered freed permits. */
  readonly #owners = new Map<string, Owner>();
  readonly #rejection: () => Error;
  readonly #permitsPerOwner: number;
  #free: number;

  constructor(private readonly options: SemaphoreOptions) {
    this.#free = options.permits;
    this.#permitsPerOwner = options.permitsPerOwner ?? options.permits;
    this.#rejection = options.rejection ?? (() => new CapacityUnavailable());
  }

  /** The permits in use. */
  get held(): number {
    return this.options.permits - this.#free;
  }

  /** The callers that wait. */
  get waiting(): number {
    return [...this.#owners.values()].reduce((sum, owner) => sum + waitersOf(owner), 0);
  }

  /**
   * Acquires a permit, in the order of arrival among the callers of one owner and priority.
   * @throws the error of `rejection` when the queue of the owner is full or no permit became free in time.
   * @throws the reason of the signal when it aborts, or the reason passed to `rejectWaiting`.
   */
  async acquire({ owner: name = '', signal, isHighPriority = false }: AcquireOptions = {}): Promise<ReleasePermit> {
    signal?.throwIfAborted();
    const owner = this.#owners.get(name) ?? { held: 0, waiting: { high: new Set(), normal: new Set() } };
    const isFree = this.#free > 0 && owner.held < this.#permitsPerOwner;
    if (!isFree && waitersOf(owner) >= (this.options.queuePerOwner ?? Infinity)) throw this.#rejection();
    this.#owners.set(name, owner);
    if (isFree) this.#hold(owner);
    else await this.#wait(name, owner, isHighPriority ? 'high' : 'normal', signal);
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.#free += 1;
      owner.held -= 1;
      this.#forgetIdle(name, owner);
      this.#grantNext();
    };
  }

  /** Runs work with a permit. @throws the errors of `acquire` and of the work. */
  async run<T>(work: () => Promise<T>, options?: AcquireOptions): Promise<T> {
    const release = await this.acquire(options);
    try {
      return await work();
    } finally {
      release();
    }
  }

  /** Rejects all waiting callers. */
  rejectWaiting(reason: unknown): void {
    const waiters = [...this.#owners.values()].flatMap(({ waiting }) => [...waiting.high, ...waiting.normal]);
    for (const { reject } of waiters) reject(reason);
  }

  #hold(owner: Owner): void {
    this.#free -= 1;
    owner.held += 1;
  }

  async #wait(name: string, owner: Owner, priority: Priority, signal: AbortSignal | undefined): Promise<void> {
    const queue = owner.waiting[priority];
    const { promise, resolve, reject } = Promise.withResolvers<undefined>();
    const stopWaiting = (reason: unknown) => {
      queue.delete(waiter);
      this.#forgetIdle(name, owner);
      reject(reason);
    };
    const waiter: Waiter = { grant: () => resolve(undefined), reject: stopWaiting };
    queue.add(waiter);
    const { waitLimitMs } = this.options;
    const timer = waitLimitMs === undefined ? undefined : setTimeout(() => stopWaiting(this.#rejection()), waitLimitMs);
    const abort = () => stopWaiting(signal?.reason);
    signal?.addEventListener('abort', abort, { once: true });
    try {
      await promise;
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
    }
  }

  #grantNext(): void {
    for (const priority of PRIORITIES) {
      for (const [name, owner] of this.#owners) {
        const [waiter] = owner.waiting[priority];
        if (!waiter || owner.held >= this.#permitsPerOwner) continue;
        owner.waiting[priority].delete(waiter);
        this.#hold(owner);
        // Moves the owner to the end, so that the next freed permit is offered to the others first.
        this.#owners.delete(name);
        this.#owners.set(name, owner);
        waiter.grant();
        return;
      }
    }
  }

  #forgetIdle(name: string, owner: Owner): void {
    if (owner.held === 0 && waitersOf(owner) === 0) this.#owners.delete(name);
  }
}

function waitersOf({ waiting }: Owner): number {
  return waiting.high.size + waiting.normal.size;
}
