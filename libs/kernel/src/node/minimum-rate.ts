import { DomainError } from '../errors/domain-error';

/** The minimum rate of a sender. */
export interface MinimumRateOptions {
  /** The minimum number of bytes per window. */
  readonly bytes: number;
  /** Milliseconds spent waiting for the sender. Time in which the body is not read does not count. */
  readonly windowMs: number;
  /** Milliseconds added to the first window, because connections start slowly. */
  readonly graceMs: number;
}

/**
 * 6.4 KiB/s, averaged over 20 s. A phone on a 2G line (EDGE) sends more, and a connection may stall for 20 s when it
 * changes networks; nginx (`client_body_timeout`) and Apache (`RequestReadTimeout MinRate`) allow similar pauses.
 */
export const UPLOAD_MINIMUM_RATE: MinimumRateOptions = { bytes: 128 * 1024, windowMs: 20_000, graceMs: 10_000 };

/** The clock, replaced in tests so that they need not wait. */
export interface RateClock {
  /** Milliseconds of a monotonic clock. */
  now(): number;
  /** @returns a function that cancels the call. */
  schedule(run: () => void, delayMs: number): () => void;
}

export const SYSTEM_RATE_CLOCK: RateClock = {
  now: () => performance.now(),
  schedule: (run, delayMs) => {
    // `setImmediate` runs after sockets are polled, so bytes that arrived while the process was busy are counted.
    const timer = setTimeout(() => setImmediate(run), delayMs).unref();
    return () => clearTimeout(timer);
  },
};

/** The sender stayed below the minimum rate. */
export class RequestTooSlow extends DomainError {
  readonly kind = 'request-timeout';
  readonly code = 'platform.request-timeout';
  override readonly headers = { connection: 'close' };

  constructor({ bytes, windowMs }: MinimumRateOptions) {
    super(
      `The request body arrived too slowly: less than ${bytes.toLocaleString('en')} bytes in ` +
        `${windowMs / 1_000} seconds. Nothing was stored. Send it again over a faster connection.`,
    );
  }
}

/**
 * Enforces a minimum rate on a sender. Each window is checked separately, so a fast start does not make up for a slow
 * rest. Use `enforce` for a body; `waiting`, `received` and `stop` are for code with a separate read loop.
 */
export class MinimumRate {
  readonly #controller = new AbortController();
  #windowMs: number;
  #bytes = 0;
  #waitedMs = 0;
  #waitingSince: number | undefined;
  #cancelTimer: (() => void) | undefined;

  /**
   * @param options the minimum rate.
   * @param clock replaced in tests.
   * @param onWindow called after each window with the result. If set, the signal is never aborted.
   */
  constructor(
    private readonly options: MinimumRateOptions = UPLOAD_MINIMUM_RATE,
    private readonly clock: RateClock = SYSTEM_RATE_CLOCK,
    private readonly onWindow?: (isBelow: boolean) => void,
  ) {
    this.#windowMs = options.graceMs + options.windowMs;
  }

  /** Aborted with `RequestTooSlow` when the sender falls below the minimum rate. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Starts counting time, because the reader waits for the sender. */
  waiting(): void {
    if (this.#waitingSince !== undefined || this.signal.aborted) return;
    this.#waitingSince = this.clock.now();
    this.#scheduleEnd();
  }

  /** Stops counting time. @param bytes the number of received bytes. */
  received(bytes: number): void {
    this.#pause();
    this.#bytes += bytes;
    if (this.#waitedMs >= this.#windowMs) this.#checkWindow();
  }

  /** Stops the measurement. The signal is not aborted after that. */
  stop(): void {
    this.#pause();
  }

  /**
   * Yields the bytes of `source` while they arrive fast enough. It settles even when `source` does not. A source that
   * is too slow is not closed, because the response still needs its connection.
   * @throws {RequestTooSlow}
   */
  async *enforce(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void, undefined> {
    const chunks = source[Symbol.asyncIterator]();
    let isSettled = true;
    try {
      for (;;) {
        this.waiting();
        isSettled = false;
        const step = await this.#settledBeforeAbort(chunks.next());
        isSettled = true;
        if (step.done) return;
        this.received(step.value.length);
        this.signal.throwIfAborted();
        yield step.value;
      }
    } finally {
      this.stop();
      // `return` of an iterator that is waiting would settle only with the next bytes of the sender.
      if (isSettled && !this.signal.aborted) await chunks.return?.();
    }
  }

  /** Races each chunk against a promise of its read only: a promise that outlives the races would retain all chunks. */
  async #settledBeforeAbort<T>(chunk: Promise<T>): Promise<T> {
    const { promise: aborted, reject } = Promise.withResolvers<never>();
    const onAbort = () => reject(this.signal.reason as Error);
    this.signal.addEventListener('abort', onAbort, { once: true });
    try {
      return await Promise.race([chunk, aborted]);
    } finally {
      this.signal.removeEventListener('abort', onAbort);
    }
  }

  #scheduleEnd(): void {
    this.#cancelTimer = this.clock.schedule(() => this.#endWindow(), Math.max(0, this.#windowMs - this.#waitedMs));
  }

  #endWindow(): void {
    if (this.#waitingSince === undefined) return;
    this.#pause();
    // Timers may fire early by a fraction of a millisecond.
    if (this.#waitedMs + 1 >= this.#windowMs) this.#checkWindow();
    this.waiting();
  }

  #pause(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    if (this.#waitingSince !== undefined) this.#waitedMs += this.clock.now() - this.#waitingSince;
    this.#waitingSince = undefined;
  }

  #checkWindow(): void {
    const isBelow = this.#bytes < this.options.bytes;
    if (this.onWindow) this.onWindow(isBelow);
    else if (isBelow) this.#controller.abort(new RequestTooSlow(this.options));
    this.#windowMs = this.options.windowMs;
    this.#bytes = 0;
    this.#waitedMs = 0;
  }
}
