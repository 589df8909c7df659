/** Gives back what was taken; calling it again does nothing. */
export type Release = () => void;

interface Waiting {
  readonly bytes: number;
  readonly grant: (release: Release) => void;
}

/** How much memory the bodies of all uploads together may fill. Whoever holds bytes takes from it first. */
export class MemoryBudget {
  #free: number;
  readonly #waiting: Waiting[] = [];

  /** @param bytes of the whole budget; nobody may ask for more than that at once. */
  constructor(private readonly bytes: number) {
    this.#free = bytes;
  }

  /** Undefined when there is not so much left, or somebody is waiting already. */
  tryTake(bytes: number): Release | undefined {
    if (bytes > this.#free || this.#waiting.length > 0) return undefined;
    return this.#take(bytes);
  }

  /** Waits for its turn: first come, first served. @throws {unknown} the signal's reason. */
  take(bytes: number, signal: AbortSignal): Promise<Release> {
    if (bytes > this.bytes) throw new RangeError(`${bytes} bytes are more than the whole budget`);
    const release = this.tryTake(bytes);
    if (release) return Promise.resolve(release);
    return new Promise((resolve, reject) => {
      const leave = () => {
        this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
        // Whoever stood behind may fit where this one did not.
        this.#serve();
        reject(signal.reason as Error);
      };
      const waiting: Waiting = {
        bytes,
        grant: (granted) => {
          signal.removeEventListener('abort', leave);
          resolve(granted);
        },
      };
      if (signal.aborted) return reject(signal.reason as Error);
      this.#waiting.push(waiting);
      signal.addEventListener('abort', leave, { once: true });
    });
  }

  #take(bytes: number): Release {
    this.#free -= bytes;
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.#free += bytes;
      this.#serve();
    };
  }

  #serve(): void {
    for (let next = this.#waiting[0]; next && next.bytes <= this.#free; next = this.#waiting[0]) {
      this.#waiting.shift();
      next.grant(this.#take(next.bytes));
    }
  }
}
