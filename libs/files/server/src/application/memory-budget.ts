import { StorageUnavailable } from '../domain/files.errors';
import type { UploadRateMonitor } from './upload-rate-monitor';

/** Releases an allocation; repeated calls have no effect. */
export type Release = () => void;

interface Waiter {
  readonly allocation: Allocation;
  readonly bytes: number;
  readonly grant: () => void;
}

/** An upload that can be aborted to release its memory. */
export type EvictableUpload = Pick<UploadRateMonitor, 'isSlow' | 'onSlow' | 'abort'>;

/** The memory of one body, or of one part of an upload. */
interface Allocation {
  readonly owner: string;
  readonly upload: EvictableUpload | undefined;
  held: number;
}

const WAIT_LIMIT_MS = 20_000;
const EVICTED_DETAIL =
  'The server is short of memory for uploads and stopped this slow one. Nothing was stored. Send it again in a few seconds.';

/**
 * Limits the memory of all uploads together. Memory is allocated as bytes arrive, so a slow upload holds only what it
 * has sent. The last quarter is reserved for one part at a time, so that at least one part always completes and
 * releases its memory. A user gets at most half of the budget, plus one part. While a part waits, slow uploads are
 * aborted, starting with the user who holds the most memory.
 */
export class MemoryBudget {
  #free: number;
  readonly #held = new Map<string, number>();
  readonly #waiting: Waiter[] = [];
  readonly #allocations = new Set<Allocation>();
  readonly #reserve: number;
  /** The part that may use the reserve. */
  #reserveHolder: Allocation | undefined;
  /** For each owner, the part that may exceed the owner's half. */
  readonly #overShareAllocations = new Map<string, Allocation>();

  /**
   * @param bytes size of the budget. A part must not need more than a quarter of it.
   * @param waitLimitMs maximum wait of a part for memory, in milliseconds.
   */
  constructor(
    private readonly bytes: number,
    private readonly waitLimitMs = WAIT_LIMIT_MS,
  ) {
    this.#free = bytes;
    this.#reserve = bytes / 4;
  }

  /** The unallocated memory, in bytes. */
  get freeBytes(): number {
    return this.#free;
  }

  /** @param upload the upload to abort when it is slow and others wait; without it, the upload is never aborted. */
  shareOf(owner: string, upload?: EvictableUpload): MemoryShare {
    upload?.onSlow(() => this.#evictSlowUploads());
    return {
      tryAllocate: (bytes) => {
        const allocation = { owner, upload, held: 0 };
        const fits = this.#free - bytes >= this.#reserve && this.#isInShare(allocation, bytes);
        if (!fits) return undefined;
        this.#grow(allocation, bytes);
        return () => this.#release(allocation);
      },
      newAllocation: () => {
        const allocation = { owner, upload, held: 0 };
        return {
          tryGrow: (bytes) => this.#tryGrow(allocation, bytes),
          grow: (bytes, signal) => this.#growOrWait(allocation, bytes, signal),
          release: () => this.#release(allocation),
        };
      },
    };
  }

  #mayGrow(allocation: Allocation, bytes: number): boolean {
    if (bytes > this.#free) return false;
    if (this.#reserveHolder === allocation) return true;
    if (this.#free - bytes < this.#reserve && this.#reserveHolder !== undefined) return false;
    const overShare = this.#overShareAllocations.get(allocation.owner) ?? allocation;
    return overShare === allocation || this.#isInShare(allocation, bytes);
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

  async #growOrWait(allocation: Allocation, bytes: number, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.#tryGrow(allocation, bytes)) return;
    await this.#wait(allocation, bytes, signal);
  }

  #wait(allocation: Allocation, bytes: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const cleanUp = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', onAbort);
        this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
      };
      const onAbort = () => {
        cleanUp();
        reject(signal.reason as Error);
      };
      const onTimeout = () => {
        cleanUp();
        reject(new StorageUnavailable({ cause: new Error('no memory left for an upload') }));
      };
      const grant = () => {
        cleanUp();
        resolve();
      };
      const waiting: Waiter = { allocation, bytes, grant };
      const timer = setTimeout(onTimeout, this.waitLimitMs);
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
    for (const { allocation: waiting, bytes, grant } of [...this.#waiting]) {
      if (this.#tryGrow(waiting, bytes)) grant();
    }
    this.#evictSlowUploads();
  }

  /** Aborts slow uploads that together hold the memory of one part; each one releases its memory when it ends. */
  #evictSlowUploads(): void {
    if (this.#waiting.length === 0) return;
    const slow = [...this.#allocations].filter(({ upload }) => upload?.isSlow);
    slow.sort((one, other) => this.#heldBy(other) - this.#heldBy(one) || other.held - one.held);
    let bytes = 0;
    for (const { upload, held } of slow) {
      if (bytes >= this.#reserve) return;
      bytes += held;
      const cause = new Error('other uploads needed the memory of a slow one');
      upload?.abort(new StorageUnavailable({ cause }, EVICTED_DETAIL));
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

/** Allocates memory for one owner. */
export interface MemoryShare {
  /** Allocates memory for a small body; undefined when the budget or the owner's share is too small. */
  tryAllocate(bytes: number): Release | undefined;
  /** Starts an allocation that grows as a part arrives. */
  newAllocation(): GrowableAllocation;
}

export interface GrowableAllocation {
  /** @returns whether the memory was allocated. */
  tryGrow(bytes: number): boolean;
  /** Waits for memory. @throws {unknown} the signal's reason. @throws {StorageUnavailable} after the wait limit. */
  grow(bytes: number, signal: AbortSignal): Promise<void>;
  /** Releases the whole allocation; repeated calls have no effect. */
  readonly release: Release;
}
