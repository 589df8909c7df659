import { StorageUnavailable } from '../domain/files.errors';
import type { UploadRateMonitor } from './upload-rate-monitor';

/** Gives back what was taken; calling it again does nothing. */
export type Release = () => void;

interface Waiting {
  readonly part: Taking;
  readonly bytes: number;
  readonly grant: () => void;
}

/** The client whose upload holds the memory. */
export type EvictableUpload = Pick<UploadRateMonitor, 'isSlow' | 'onSlow' | 'giveUp'>;

/** What one part of an upload has taken so far. */
interface Taking {
  readonly owner: string;
  readonly sender: EvictableUpload | undefined;
  held: number;
}

const WAIT_LIMIT_MS = 20_000;
const GIVEN_UP =
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
  readonly #waiting: Waiting[] = [];
  readonly #takings = new Set<Taking>();
  readonly #reserve: number;
  /** The part that may use the reserve. */
  #tenant: Taking | undefined;
  /** Of each owner, the part that may go beyond their half. */
  readonly #finishers = new Map<string, Taking>();

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
    sender?.onSlow(() => this.#giveUpSlow());
    return {
      tryTake: (bytes) => {
        const taking = { owner, sender, held: 0 };
        const fits = this.#free - bytes >= this.#reserve && this.#isInShare(taking, bytes);
        if (!fits) return undefined;
        this.#grow(taking, bytes);
        return () => this.#release(taking);
      },
      begin: () => {
        const taking = { owner, sender, held: 0 };
        return {
          tryGrow: (bytes) => this.#tryGrow(taking, bytes),
          grow: (bytes, signal) => this.#growInTime(taking, bytes, signal),
          release: () => this.#release(taking),
        };
      },
    };
  }

  #mayGrow(taking: Taking, bytes: number): boolean {
    if (bytes > this.#free) return false;
    if (this.#tenant === taking) return true;
    if (this.#free - bytes < this.#reserve && this.#tenant !== undefined) return false;
    const finisher = this.#finishers.get(taking.owner) ?? taking;
    return finisher === taking || this.#isInShare(taking, bytes);
  }

  #isInShare({ owner }: Taking, bytes: number): boolean {
    return (this.#held.get(owner) ?? 0) + bytes <= this.bytes / 2;
  }

  #tryGrow(taking: Taking, bytes: number): boolean {
    if (!this.#mayGrow(taking, bytes)) return false;
    this.#grow(taking, bytes);
    return true;
  }

  #grow(taking: Taking, bytes: number): void {
    if (!this.#isInShare(taking, bytes)) this.#finishers.set(taking.owner, taking);
    this.#add(taking, bytes);
    if (this.#free < this.#reserve) this.#tenant = taking;
  }

  async #growInTime(taking: Taking, bytes: number, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.#tryGrow(taking, bytes)) return;
    await this.#wait(taking, bytes, signal);
  }

  #wait(part: Taking, bytes: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const settle = () => {
        clearTimeout(limit);
        signal.removeEventListener('abort', leave);
        this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
      };
      const leave = () => {
        settle();
        reject(signal.reason as Error);
      };
      const isLate = () => {
        settle();
        reject(new StorageUnavailable({ cause: new Error('no memory left for an upload') }));
      };
      const grant = () => {
        settle();
        resolve();
      };
      const waiting: Waiting = { part, bytes, grant };
      const limit = setTimeout(isLate, this.waitLimitMs);
      signal.addEventListener('abort', leave, { once: true });
      this.#waiting.push(waiting);
      this.#giveUpSlow();
    });
  }

  #release(taking: Taking): void {
    this.#add(taking, -taking.held);
    if (this.#tenant === taking) this.#tenant = undefined;
    if (this.#finishers.get(taking.owner) === taking) this.#finishers.delete(taking.owner);
    for (const { part, bytes, grant } of [...this.#waiting]) {
      if (this.#tryGrow(part, bytes)) grant();
    }
    this.#giveUpSlow();
  }

  /** Ends slow uploads that hold as much as one part needs; their memory comes back when they have ended. */
  #giveUpSlow(): void {
    if (this.#waiting.length === 0) return;
    const slow = [...this.#takings].filter(({ sender }) => sender?.isSlow);
    slow.sort((one, other) => this.#heldBy(other) - this.#heldBy(one) || other.held - one.held);
    let bytes = 0;
    for (const { sender, held } of slow) {
      if (bytes >= this.#reserve) return;
      bytes += held;
      const cause = new Error('other uploads needed the memory of a slow one');
      sender?.giveUp(new StorageUnavailable({ cause }, GIVEN_UP));
    }
  }

  #heldBy({ owner }: Taking): number {
    return this.#held.get(owner) ?? 0;
  }

  #add(taking: Taking, bytes: number): void {
    taking.held += bytes;
    if (taking.held > 0) this.#takings.add(taking);
    else this.#takings.delete(taking);
    this.#free -= bytes;
    const held = (this.#held.get(taking.owner) ?? 0) + bytes;
    if (held === 0) this.#held.delete(taking.owner);
    else this.#held.set(taking.owner, held);
  }
}

/** What one owner takes from the budget. */
export interface MemoryShare {
  /** For a small body, at once; undefined when there is not so much left. */
  tryTake(bytes: number): Release | undefined;
  /** For a part that is taken into memory as it comes. */
  begin(): PartMemory;
}

export interface PartMemory {
  /** @returns whether there was so much left. */
  tryGrow(bytes: number): boolean;
  /** Waits for its turn. @throws {unknown} the signal's reason. @throws {StorageUnavailable} after the wait limit. */
  grow(bytes: number, signal: AbortSignal): Promise<void>;
  /** Gives all of it back; calling it again does nothing. */
  readonly release: Release;
}
