interface Waiter {
  readonly isHighPriority: boolean;
  readonly grant: () => void;
}

export interface TokenBucketOptions {
  readonly perSecond: number;
  /** Maximum number of tokens that accumulate. */
  readonly burst: number;
  /** Monotonic clock in milliseconds. */
  readonly now?: () => number;
}

export interface AcquireTokenOptions {
  /** Aborts the waiting; then no token is used. */
  readonly signal?: AbortSignal;
  /** Whether the caller is served before waiting callers of normal priority. */
  readonly isHighPriority?: boolean;
}

/**
 * A token bucket. Waiting callers are served in the order of arrival, those of high priority first. Unlike `RateLimit`,
 * which rejects the requests of a caller above its limit, it delays calls so that they stay below a rate.
 */
export class TokenBucket {
  readonly #now: () => number;
  readonly #waiting: Waiter[] = [];
  #tokens: number;
  #filledAt: number;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly options: TokenBucketOptions) {
    this.#now = options.now ?? (() => performance.now());
    this.#tokens = options.burst;
    this.#filledAt = this.#now();
  }

  /** Takes a token without waiting. @returns false when none is available or other callers wait. */
  tryAcquire(): boolean {
    this.#fill();
    if (this.#tokens < 1 || this.#waiting.length > 0) return false;
    this.#tokens -= 1;
    return true;
  }

  /** Resolves when the caller gets a token. @throws the reason of the signal when it aborts. */
  async acquire({ signal, isHighPriority = false }: AcquireTokenOptions = {}): Promise<void> {
    signal?.throwIfAborted();
    await new Promise<void>((resolve, reject) => {
      const onAbort = () => {
        this.#waiting.splice(this.#waiting.indexOf(waiter), 1);
        reject(signal?.reason as Error);
      };
      const grant = () => {
        signal?.removeEventListener('abort', onAbort);
        resolve();
      };
      const waiter: Waiter = { isHighPriority, grant };
      signal?.addEventListener('abort', onAbort, { once: true });
      const position = isHighPriority ? this.#waiting.findIndex((other) => !other.isHighPriority) : -1;
      this.#waiting.splice(position < 0 ? this.#waiting.length : position, 0, waiter);
      this.#serve();
    });
  }

  /** Empties the bucket, for example after a provider has throttled a call whose limit other clients share. */
  drain(): void {
    this.#fill();
    this.#tokens = Math.min(this.#tokens, 0);
  }

  #serve(): void {
    this.#fill();
    while (this.#tokens >= 1 && this.#waiting.length > 0) {
      this.#tokens -= 1;
      this.#waiting.shift()?.grant();
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
