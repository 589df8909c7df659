import { Semaphore, type SemaphoreOptions } from '@homeport/kernel';

/** For small and for large files: libuv has four threads, and a large file takes one for a chunk at a time. */
const LIMITS: SemaphoreOptions = { permits: 2 };

/** Limits the files that an instance compresses at once. Organizations take turns. */
export class CompressionSlots {
  readonly #small = new Semaphore(LIMITS);
  /** Separate, so that small files do not wait behind large ones. */
  readonly #large = new Semaphore(LIMITS);

  /** @param isLarge whether compressing takes seconds. @returns a function that releases the slot. */
  acquire(owner: string, isLarge: boolean, signal: AbortSignal): Promise<() => void> {
    return (isLarge ? this.#large : this.#small).acquire({ owner, signal });
  }
}
