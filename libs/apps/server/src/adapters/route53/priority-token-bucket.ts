interface Waiting {
  readonly isUrgent: boolean;
  readonly go: () => void;
}

export interface TokenBucketOptions {
  readonly perSecond: number;
  /** How many at once, after a rest. */
  readonly burst: number;
  /** Milliseconds; it never goes back. */
  readonly now?: () => number;
}

/**
 * A token bucket that callers wait at, the urgent ones first: whoever keeps to it is not told to slow down, and what
 * people wait for is not held up by what nobody waits for.
 */
export class PriorityTokenBucket {
  readonly #now: () => number;
  readonly #waiting: Waiting[] = [];
  #tokens: number;
  #filledAt: number;
  #timer: NodeJS.Timeout | undefined;

  constructor(private readonly options: TokenBucketOptions) {
    this.#now = options.now ?? (() => performance.now());
    this.#tokens = options.burst;
    this.#filledAt = this.#now();
  }

  /** Resolves when it is the caller's turn. @throws the reason of the signal, and then no turn is used up. */
  async acquire(isUrgent: boolean, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    await new Promise<void>((resolve, reject) => {
      const leave = () => {
        this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
        reject(signal.reason as Error);
      };
      const go = () => {
        signal.removeEventListener('abort', leave);
        resolve();
      };
      const waiting: Waiting = { isUrgent, go };
      signal.addEventListener('abort', leave, { once: true });
      const place = isUrgent ? this.#waiting.findIndex((other) => !other.isUrgent) : -1;
      this.#waiting.splice(place < 0 ? this.#waiting.length : place, 0, waiting);
      this.#serve();
    });
  }

  /** Others use up what we share with them: no turn comes before the bucket has begun to fill again. */
  drain(): void {
    this.#fill();
    this.#tokens = Math.min(this.#tokens, 0);
  }

  #serve(): void {
    this.#fill();
    while (this.#tokens >= 1 && this.#waiting.length > 0) {
      this.#tokens -= 1;
      this.#waiting.shift()?.go();
    }
    if (this.#waiting.length === 0 || this.#timer) return;
    const wait = Math.ceil(((1 - this.#tokens) / this.options.perSecond) * 1_000);
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#serve();
    }, wait);
  }

  #fill(): void {
    const now = this.#now();
    const refill = ((now - this.#filledAt) / 1_000) * this.options.perSecond;
    this.#tokens = Math.min(this.options.burst, this.#tokens + refill);
    this.#filledAt = now;
  }
}
