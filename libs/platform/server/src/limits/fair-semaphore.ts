import { CapacityUnavailable } from '../problems/platform.errors';

/** Returns a permit; calling it again does nothing. */
export type ReleasePermit = () => void;

export interface FairSemaphoreOptions {
  /** Permits of all owners in total. */
  readonly permits: number;
  /** Permits that one owner may hold. */
  readonly permitsPerOwner: number;
  /** Maximum number of waiting callers per owner; no limit when absent. */
  readonly queuePerOwner?: number;
  /** Maximum waiting time in milliseconds; no limit when absent. */
  readonly waitLimitMs?: number;
  /** Creates the error for a rejected caller; `CapacityUnavailable` when absent. */
  readonly rejection?: () => Error;
}

interface Waiter {
  readonly grant: () => void;
  readonly reject: (reason: unknown) => void;
}

interface Owner {
  held: number;
  readonly waiting: Set<Waiter>;
}

/** A semaphore that limits the share of each owner. Freed permits go to the waiting owners in turn. */
export class FairSemaphore {
  /** Owners in the order in which they are offered freed permits. */
  readonly #owners = new Map<string, Owner>();
  readonly #rejection: () => Error;
  #free: number;

  constructor(private readonly options: FairSemaphoreOptions) {
    this.#free = options.permits;
    this.#rejection = options.rejection ?? (() => new CapacityUnavailable());
  }

  /**
   * Acquires a permit, in the order of arrival among the callers of one owner.
   * @param signal aborts the waiting.
   * @throws the error of `rejection` when the queue of the owner is full or no permit became free in time.
   * @throws the reason of the signal when it aborts.
   */
  async acquire(name: string, signal: AbortSignal): Promise<ReleasePermit> {
    signal.throwIfAborted();
    const owner = this.#owners.get(name) ?? { held: 0, waiting: new Set() };
    const isFree = this.#free > 0 && owner.held < this.options.permitsPerOwner;
    if (!isFree && owner.waiting.size >= (this.options.queuePerOwner ?? Infinity)) throw this.#rejection();
    this.#owners.set(name, owner);
    if (isFree) this.#hold(owner);
    else await this.#wait(name, owner, signal);
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

  /** Rejects all waiting callers. */
  rejectWaiting(reason: unknown): void {
    const waiters = [...this.#owners.values()].flatMap(({ waiting }) => [...waiting]);
    for (const { reject } of waiters) reject(reason);
  }

  #hold(owner: Owner): void {
    this.#free -= 1;
    owner.held += 1;
  }

  async #wait(name: string, owner: Owner, signal: AbortSignal): Promise<void> {
    const { waiting } = owner;
    const { promise, resolve, reject } = Promise.withResolvers<undefined>();
    const leave = (reason: unknown) => {
      waiting.delete(waiter);
      this.#forgetIdle(name, owner);
      reject(reason);
    };
    const waiter: Waiter = { grant: () => resolve(undefined), reject: leave };
    waiting.add(waiter);
    const { waitLimitMs } = this.options;
    const timer = waitLimitMs === undefined ? undefined : setTimeout(() => leave(this.#rejection()), waitLimitMs);
    const abort = () => leave(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    try {
      await promise;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
    }
  }

  #grantNext(): void {
    for (const [name, owner] of this.#owners) {
      const [waiter] = owner.waiting;
      if (!waiter || owner.held >= this.options.permitsPerOwner) continue;
      owner.waiting.delete(waiter);
      this.#hold(owner);
      // Moves the owner to the end, so that the next freed permit is offered to the others first.
      this.#owners.delete(name);
      this.#owners.set(name, owner);
      waiter.grant();
      return;
    }
  }

  #forgetIdle(name: string, owner: Owner): void {
    if (owner.held === 0 && owner.waiting.size === 0) this.#owners.delete(name);
  }
}
