import { DomainError } from '../problems/domain-error';

/** The least that a sender must send. */
export interface RateFloor {
  /** Bytes per window. */
  readonly bytes: number;
  /** Milliseconds spent waiting for the sender; time in which nobody reads does not count. */
  readonly windowMs: number;
  /** Milliseconds by which the first window is longer: connections start slowly. */
  readonly graceMs: number;
}

/**
 * 6.4 KiB/s, averaged over 20 s. A phone on a 2G line (EDGE) sends more, and a connection may stall for 20 s when it
 * changes networks; nginx (`client_body_timeout`) and Apache (`RequestReadTimeout MinRate`) allow similar pauses.
 */
export const UPLOAD_RATE_FLOOR: RateFloor = { bytes: 128 * 1024, windowMs: 20_000, graceMs: 10_000 };

/** The passing of time, so that tests need not wait. */
export interface RateClock {
  /** Milliseconds from any fixed point; never goes back. */
  now(): number;
  /** @returns cancels the call. */
  schedule(run: () => void, delayMs: number): () => void;
}

export const SYSTEM_RATE_CLOCK: RateClock = {
  now: () => performance.now(),
  schedule: (run, delayMs) => {
    // Bytes that arrived while the process was busy are read before the verdict: sockets are polled before `run`.
    const timer = setTimeout(() => setImmediate(run), delayMs).unref();
    return () => clearTimeout(timer);
  },
};

/** The sender sends less than the floor. */
export class RequestTooSlow extends DomainError {
  readonly kind = 'request-timeout';
  readonly code = 'platform.request-timeout';
  override readonly headers = { connection: 'close' };

  constructor({ bytes, windowMs }: RateFloor) {
    super(
      `The request body arrived too slowly: less than ${bytes.toLocaleString('en')} bytes in ` +
        `${windowMs / 1_000} seconds. Nothing was stored. Send it again over a faster connection.`,
    );
  }
}

/**
 * Gives up on a sender whose bytes arrive slower than a floor. Each window is judged alone, so a fast start does not
 * buy a slow rest. Use `enforce` for a body; `waiting`, `received` and `stop` are for readers with their own loop.
 */
export class MinimumRate {
  readonly #controller = new AbortController();
  #windowMs: number;
  #bytes = 0;
  #waitedMs = 0;
  #waitingSince: number | undefined;
  #cancel: (() => void) | undefined;

  /**
   * @param floor the least rate.
   * @param clock replaced in tests.
   * @param onWindow told after each window whether the sender was below the floor; the signal is then never aborted.
   */
  constructor(
    private readonly floor: RateFloor = UPLOAD_RATE_FLOOR,
    private readonly clock: RateClock = SYSTEM_RATE_CLOCK,
    private readonly onWindow?: (isBelow: boolean) => void,
  ) {
    this.#windowMs = floor.graceMs + floor.windowMs;
  }

  /** Aborted with `RequestTooSlow` when the sender falls under the floor. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Starts counting time: the reader waits for the sender. */
  waiting(): void {
    if (this.#waitingSince !== undefined || this.signal.aborted) return;
    this.#waitingSince = this.clock.now();
    this.#arm();
  }

  /** Stops counting time. @param bytes how many arrived. */
  received(bytes: number): void {
    this.#pause();
    this.#bytes += bytes;
    if (this.#waitedMs >= this.#windowMs) this.#judge();
  }

  /** Ends the watch; the signal is not aborted any more. */
  stop(): void {
    this.#pause();
  }

  /**
   * The same bytes while they arrive fast enough. It settles even when `source` never does; the source is then not
   * ended, because the answer still has to go over its connection.
   * @throws {RequestTooSlow}
   */
  async *enforce(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void, undefined> {
    const chunks = source[Symbol.asyncIterator]();
    const slow = new Promise<never>((_resolve, reject) => {
      this.signal.addEventListener('abort', () => reject(this.signal.reason as Error), { once: true });
    });
    slow.catch(() => undefined);
    let isSettled = true;
    try {
      for (;;) {
        this.waiting();
        isSettled = false;
        const step = await Promise.race([chunks.next(), slow]);
        isSettled = true;
        if (step.done) return;
        this.received(step.value.length);
        this.signal.throwIfAborted();
        yield step.value;
      }
    } finally {
      this.stop();
      // An iterator that is still waiting would answer only when the sender does. After the verdict the source stays open.
      if (isSettled && !this.signal.aborted) await chunks.return?.();
    }
  }

  #arm(): void {
    this.#cancel = this.clock.schedule(() => this.#windowEnds(), Math.max(0, this.#windowMs - this.#waitedMs));
  }

  #windowEnds(): void {
    if (this.#waitingSince === undefined) return;
    this.#pause();
    // Timers may fire early by a fraction of a millisecond.
    if (this.#waitedMs + 1 >= this.#windowMs) this.#judge();
    this.waiting();
  }

  #pause(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    if (this.#waitingSince !== undefined) this.#waitedMs += this.clock.now() - this.#waitingSince;
    this.#waitingSince = undefined;
  }

  #judge(): void {
    const isBelow = this.#bytes < this.floor.bytes;
    if (this.onWindow) this.onWindow(isBelow);
    else if (isBelow) this.#controller.abort(new RequestTooSlow(this.floor));
    this.#windowMs = this.floor.windowMs;
    this.#bytes = 0;
    this.#waitedMs = 0;
  }
}
