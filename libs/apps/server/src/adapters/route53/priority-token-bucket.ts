interface Waiting {
  readonly isUrgent: boolean;
  readonly resume: () => void;
}

export interface TokenBucketOptions {
  readonly perSecond: number;
  /** Maximum number of tokens that accumulate. */
  readonly burst: number;
  /** Monotonic clock in milliseconds. */
  readonly now?: () => number;
}

/**
 * A token bucket whose waiting callers are served in order, urgent ones first, so that background work does not delay
 * requests. It keeps the rate below the provider's limit.
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

  /** Resolves when the caller gets a token. @throws the reason of the signal; then no token is used. */
  async acquire(isUrgent: boolean, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    await new Promise<void>((resolve, reject) => {
      const onAbort = () => {
        this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
        reject(signal.reason as Error);
      };
      const resume = () => {
        signal.removeEventListener('abort', onAbort);
        resolve();
      };
      const waiting: Waiting = { isUrgent, resume };
      signal.addEventListener('abort', onAbort, { once: true });
      const position = isUrgent ? this.#waiting.findIndex((other) => !other.isUrgent) : -1;
      this.#waiting.splice(position < 0 ? this.#waiting.length : position, 0, waiting);
      this.#serve();
    });
  }

  /** Empties the bucket after the provider has throttled a call, because other clients share its limit. */
  drain(): void {
    this.#fill();
    this.#tokens = Math.min(this.#tokens, 0);
  }

  #serve(): void {
    this.#fill();
    while (this.#tokens >= 1 && this.#waiting.length > 0) {
      this.#tokens -= 1;
      this.#waiting.shift()?.resume();
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
