import { StorageUnavailable } from '../domain/files.errors';

/** Gives back what was taken; calling it again does nothing. */
export type Release = () => void;

interface Waiting {
  readonly owner: string;
  readonly bytes: number;
  readonly grant: (release: Release) => void;
}

const WAIT_LIMIT_MS = 20_000;

/**
 * How much memory the bodies of all uploads together may fill. Whoever holds bytes takes from it first. Whoever holds
 * some already gets more only up to half of it: a few slow uploads of one person must not stop everybody else's.
 */
export class MemoryBudget {
  #free: number;
  readonly #held = new Map<string, number>();
  readonly #waiting: Waiting[] = [];

  /**
   * @param bytes of the whole budget; nobody may ask for more than that at once.
   * @param waitLimitMs how long somebody waits for a turn.
   */
  constructor(
    private readonly bytes: number,
    private readonly waitLimitMs = WAIT_LIMIT_MS,
  ) {
    this.#free = bytes;
  }

  shareOf(owner: string): MemoryShare {
    return {
      tryTake: (bytes) => this.#tryTake(owner, bytes),
      take: (bytes, signal) => this.#take(owner, bytes, signal),
    };
  }

  #tryTake(owner: string, bytes: number): Release | undefined {
    const mayOvertake = this.#waiting.every((waiting) => this.#isShareFull(waiting.owner, waiting.bytes));
    if (!mayOvertake || bytes > this.#free || this.#isShareFull(owner, bytes)) return undefined;
    return this.#give(owner, bytes);
  }

  #take(owner: string, bytes: number, signal: AbortSignal): Promise<Release> {
    if (bytes > this.bytes) throw new RangeError(`${bytes} bytes are more than the whole budget`);
    if (signal.aborted) return Promise.reject(signal.reason as Error);
    const release = this.#tryTake(owner, bytes);
    return release ? Promise.resolve(release) : this.#wait(owner, bytes, signal);
  }

  #wait(owner: string, bytes: number, signal: AbortSignal): Promise<Release> {
    return new Promise((resolve, reject) => {
      const settle = () => {
        clearTimeout(limit);
        signal.removeEventListener('abort', leave);
      };
      const giveUp = (reason: unknown) => {
        settle();
        this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
        // Whoever stood behind may fit where this one did not.
        this.#serve();
        reject(reason as Error);
      };
      const leave = () => giveUp(signal.reason);
      const isLate = () => giveUp(new StorageUnavailable({ cause: new Error('no memory left for an upload') }));
      const grant = (release: Release) => {
        settle();
        resolve(release);
      };
      const waiting: Waiting = { owner, bytes, grant };
      const limit = setTimeout(isLate, this.waitLimitMs);
      signal.addEventListener('abort', leave, { once: true });
      this.#waiting.push(waiting);
    });
  }

  #give(owner: string, bytes: number): Release {
    this.#add(owner, bytes);
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.#add(owner, -bytes);
      this.#serve();
    };
  }

  #add(owner: string, bytes: number): void {
    this.#free -= bytes;
    const held = (this.#held.get(owner) ?? 0) + bytes;
    if (held === 0) this.#held.delete(owner);
    else this.#held.set(owner, held);
  }

  #isShareFull(owner: string, bytes: number): boolean {
    const held = this.#held.get(owner) ?? 0;
    return held > 0 && held + bytes > this.bytes / 2;
  }

  /** First come, first served; only whoever has a full share is passed over. */
  #serve(): void {
    for (const next of [...this.#waiting]) {
      if (this.#isShareFull(next.owner, next.bytes)) continue;
      if (next.bytes > this.#free) return;
      this.#waiting.splice(this.#waiting.indexOf(next), 1);
      next.grant(this.#give(next.owner, next.bytes));
    }
  }
}

/** What one owner takes from the budget. */
export interface MemoryShare {
  /** Undefined when there is not so much left for this owner, or somebody who could be served is waiting already. */
  tryTake(bytes: number): Release | undefined;
  /** Waits for its turn. @throws {unknown} the signal's reason. @throws {StorageUnavailable} after the wait limit. */
  take(bytes: number, signal: AbortSignal): Promise<Release>;
}
