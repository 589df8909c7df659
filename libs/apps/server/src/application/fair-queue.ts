interface Waiter {
  readonly start: () => void;
}

/** Limits how much work runs at once, and takes turns among owners: one with much work waits for itself. */
export class FairQueue {
  readonly #running = new Map<string, number>();
  /** In the order of their turns. */
  readonly #waiting = new Map<string, Waiter[]>();
  #all = 0;

  /** @param most that run at once. @param mostOfOne of them, those of one owner. */
  constructor(
    private readonly most: number,
    private readonly mostOfOne: number,
  ) {}

  /**
   * Waits for a turn. @returns ends the turn; further calls do nothing.
   * @throws the reason of `signal` when that is aborted before.
   */
  async acquire(owner: string, signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted();
    if (!this.#mayRun(owner) || this.#waiting.has(owner)) await this.#wait(owner, signal);
    else this.#begin(owner);
    let isEnded = false;
    return () => {
      if (isEnded) return;
      isEnded = true;
      this.#end(owner);
    };
  }

  #wait(owner: string, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        this.#drop(owner, waiter);
        reject(signal.reason as Error);
      };
      const start = () => {
        signal.removeEventListener('abort', leave);
        resolve();
      };
      const waiter: Waiter = { start };
      signal.addEventListener('abort', leave, { once: true });
      this.#waiting.set(owner, [...(this.#waiting.get(owner) ?? []), waiter]);
    });
  }

  #mayRun(owner: string): boolean {
    return this.#all < this.most && (this.#running.get(owner) ?? 0) < this.mostOfOne;
  }

  #begin(owner: string): void {
    this.#all += 1;
    this.#running.set(owner, (this.#running.get(owner) ?? 0) + 1);
  }

  #end(owner: string): void {
    const left = (this.#running.get(owner) ?? 0) - 1;
    this.#all -= 1;
    if (left > 0) this.#running.set(owner, left);
    else this.#running.delete(owner);
    this.#startNext();
  }

  #startNext(): void {
    for (const [owner, waiters] of this.#waiting) {
      const [next] = waiters;
      if (!next || !this.#mayRun(owner)) continue;
      this.#drop(owner, next);
      const rest = this.#waiting.get(owner);
      // The owner's next turn comes after those of all others.
      if (rest && this.#waiting.delete(owner)) this.#waiting.set(owner, rest);
      this.#begin(owner);
      next.start();
      return;
    }
  }

  #drop(owner: string, waiter: Waiter): void {
    const rest = (this.#waiting.get(owner) ?? []).filter((each) => each !== waiter);
    if (rest.length > 0) this.#waiting.set(owner, rest);
    else this.#waiting.delete(owner);
  }
}
