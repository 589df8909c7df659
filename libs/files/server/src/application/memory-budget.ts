import { StorageUnavailable } from '../domain/files.errors';
import type { UploadRateMonitor } from './upload-rate-monitor';

/** Gives back what was taken; calling it again does nothing. */
export type Release = () => void;

interface Waiter {
  readonly part: Allocation;
  readonly bytes: number;
  readonly grant: () => void;
}

/** The client whose upload holds the memory. */
export type EvictableUpload = Pick<UploadRateMonitor, 'isSlow' | 'onSlow' | 'abort'>;

/** What one part of an upload has taken so far. */
interface Allocation {
  readonly owner: string;
  readonly sender: EvictableUpload | undefined;
  held: number;
}

const WAIT_LIMIT_MS = 20_000;
const EVICTED_DETAIL =
  'The server is short of memory for uploads and stopped this slow one. Nothing was stored. Send it again in a few seconds.';

/**
 * How much memory the bodies of all uploads together may fill. It is taken as the bytes come, so that slow uploads
 * occupy what they have sent and no more. The last quarter is for one part at a time: whatever the others wait for,
 * that one comes to its end and gives everything back. One person has half, and of what is beyond it one part as well.
 * While a part waits, slow uploads are aborted, starting with the person who holds the most memory.
 */
export class MemoryBudget {
  #free: number;
  readonly #held = new Map<string, number>();
  readonly #waiting: Waiter[] = [];
  readonly #allocations = new Set<Allocation>();
  readonly #reserve: number;
  /** The part that may use the reserve. */
  #reserveHolder: Allocation | undefined;
  /** Of each owner, the part that may go beyond their half. */
  readonly #overShareAllocations = new Map<string, Allocation>();

  /**
   * @param bytes of the whole budget. A part must not need more than a quarter of it.
   * @param waitLimitMs how long somebody waits for a turn.
   */
  constructor(
    private readonly bytes: number,
    private readonly waitLimitMs = WAIT_LIMIT_MS,
  ) {
    this.#free = bytes;
    this.#reserve = bytes / 4;
  }

  /** What nobody has taken. */
  get freeBytes(): number {
    return this.#free;
  }

  /** @param sender of the upload; without one the upload is never given up for others. */
  shareOf(owner: string, sender?: EvictableUpload): MemoryShare {
    sender?.onSlow(() => this.#evictSlowUploads());
    return {
      tryAllocate: (bytes) => {
        const allocation = { owner, sender, held: 0 };
        const fits = this.#free - bytes >= this.#reserve && this.#isInShare(allocation, bytes);
        if (!fits) return undefined;
        this.#grow(allocation, bytes);
        return () => this.#release(allocation);
      },
      newAllocation: () => {
        const allocation = { owner, sender, held: 0 };
        return {
          tryGrow: (bytes) => this.#tryGrow(allocation, bytes),
          grow: (bytes, signal) => this.#growInTime(allocation, bytes, signal),
          release: () => this.#release(allocation),
        };
      },
    };
  }

  #mayGrow(allocation: Allocation, bytes: number): boolean {
    if (bytes > this.#free) return false;
    if (this.#reserveHolder === allocation) return true;
    if (this.#free - bytes < this.#reserve && this.#reserveHolder !== undefined) return false;
    const finisher = this.#overShareAllocations.get(allocation.owner) ?? allocation;
    return finisher === allocation || this.#isInShare(allocation, bytes);
  }

  #isInShare({ owner }: Allocation, bytes: number): boolean {
    return (this.#held.get(owner) ?? 0) + bytes <= this.bytes / 2;
  }

  #tryGrow(allocation: Allocation, bytes: number): boolean {
    if (!this.#mayGrow(allocation, bytes)) return false;
    this.#grow(allocation, bytes);
    return true;
  }

  #grow(allocation: Allocation, bytes: number): void {
    if (!this.#isInShare(allocation, bytes)) this.#overShareAllocations.set(allocation.owner, allocation);
    this.#add(allocation, bytes);
    if (this.#free < this.#reserve) this.#reserveHolder = allocation;
  }

  async #growInTime(allocation: Allocation, bytes: number, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.#tryGrow(allocation, bytes)) return;
    await this.#wait(allocation, bytes, signal);
  }

  #wait(part: Allocation, bytes: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const settle = () => {
        clearTimeout(limit);
        signal.removeEventListener('abort', onAbort);
        this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
      };
      const onAbort = () => {
        settle();
        reject(signal.reason as Error);
      };
      const onTimeout = () => {
        settle();
        reject(new StorageUnavailable({ cause: new Error('no memory left for an upload') }));
      };
      const grant = () => {
        settle();
        resolve();
      };
      const waiting: Waiter = { part, bytes, grant };
      const limit = setTimeout(onTimeout, this.waitLimitMs);
      signal.addEventListener('abort', onAbort, { once: true });
      this.#waiting.push(waiting);
      this.#evictSlowUploads();
    });
  }

  #release(allocation: Allocation): void {
    this.#add(allocation, -allocation.held);
    if (this.#reserveHolder === allocation) this.#reserveHolder = undefined;
    if (this.#overShareAllocations.get(allocation.owner) === allocation)
      this.#overShareAllocations.delete(allocation.owner);
    for (const { part, bytes, grant } of [...this.#waiting]) {
      if (this.#tryGrow(part, bytes)) grant();
    }
    this.#evictSlowUploads();
  }

  /** Ends slow uploads that hold as much as one part needs; their memory comes back when they have ended. */
  #evictSlowUploads(): void {
    if (this.#waiting.length === 0) return;
    const slow = [...this.#allocations].filter(({ sender }) => sender?.isSlow);
    slow.sort((one, other) => this.#heldBy(other) - this.#heldBy(one) || other.held - one.held);
    let bytes = 0;
    for (const { sender, held } of slow) {
      if (bytes >= this.#reserve) return;
      bytes += held;
      const cause = new Error('other uploads needed the memory of a slow one');
      sender?.abort(new StorageUnavailable({ cause }, EVICTED_DETAIL));
    }
  }

  #heldBy({ owner }: Allocation): number {
    return this.#held.get(owner) ?? 0;
  }

  #add(allocation: Allocation, bytes: number): void {
    allocation.held += bytes;
    if (allocation.held > 0) this.#allocations.add(allocation);
    else this.#allocations.delete(allocation);
    this.#free -= bytes;
    const held = (this.#held.get(allocation.owner) ?? 0) + bytes;
    if (held === 0) this.#held.delete(allocation.owner);
    else this.#held.set(allocation.owner, held);
  }
}

/** What one owner takes from the budget. */
export interface MemoryShare {
  /** For a small body, at once; undefined when there is not so much left. */
  tryAllocate(bytes: number): Release | undefined;
  /** For a part that is taken into memory as it comes. */
  newAllocation(): GrowableAllocation;
}

export interface GrowableAllocation {
  /** @returns whether there was so much left. */
  tryGrow(bytes: number): boolean;
  /** Waits for its turn. @throws {unknown} the signal's reason. @throws {StorageUnavailable} after the wait limit. */
  grow(bytes: number, signal: AbortSignal): Promise<void>;
  /** Gives all of it back; calling it again does nothing. */
  readonly release: Release;
}
