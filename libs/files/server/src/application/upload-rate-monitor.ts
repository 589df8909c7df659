import type { Readable, Writable } from 'node:stream';
import {
  MinimumRate,
  type RateClock,
  type RateFloor,
  SYSTEM_RATE_CLOCK,
  UPLOAD_RATE_FLOOR,
} from '@homeport/platform/server';

/**
 * 256 KiB/s: a part of 8 MiB is complete after 32 s. An upload that was slower in its last window is aborted when others
 * wait for its memory. The first window is longer, because connections start slowly.
 */
const CONTENDED_RATE_FLOOR: RateFloor = { bytes: 1280 * 1024, windowMs: 5_000, graceMs: 5_000 };

/** Watches how fast the client of one upload sends. Time in which the server does not read never counts. */
export class UploadRateMonitor {
  readonly #minimumRate: MinimumRate;
  readonly #contendedRate: MinimumRate;
  readonly #givenUp = new AbortController();
  readonly #slowListeners: (() => void)[] = [];
  #isBelow = false;
  #isDone = false;
  /** Raised when the upload has to end: the client is below the least rate, or its memory is needed. */
  readonly signal: AbortSignal;

  /** @param clock replaced in tests. */
  constructor(clock: RateClock = SYSTEM_RATE_CLOCK) {
    this.#minimumRate = new MinimumRate(UPLOAD_RATE_FLOOR, clock);
    this.#contendedRate = new MinimumRate(CONTENDED_RATE_FLOOR, clock, (isBelow) => this.#recordWindow(isBelow));
    this.signal = AbortSignal.any([this.#minimumRate.signal, this.#givenUp.signal]);
  }

  /** Whether the client was too slow in the last window to hold memory that others wait for, and has bytes to send. */
  get isSlow(): boolean {
    return !this.#isDone && this.#isBelow;
  }

  /** @param act called each time the client becomes slow. */
  onSlow(act: () => void): void {
    this.#slowListeners.push(act);
  }

  abort(reason: Error): void {
    this.#givenUp.abort(reason);
  }

  #recordWindow(isBelow: boolean): void {
    const becameSlow = isBelow && !this.#isBelow;
    this.#isBelow = isBelow;
    if (becameSlow) for (const act of this.#slowListeners) act();
  }

  /**
   * Starts the watch; the body begins to flow.
   * @param sink what the body is piped into, when it is.
   */
  watch(body: Readable, sink?: Writable): void {
    const rates = [this.#minimumRate, this.#contendedRate];
    const wait = () => {
      if (!this.#isDone && !body.isPaused()) for (const rate of rates) rate.waiting();
    };
    const pause = () => {
      for (const rate of rates) rate.stop();
    };
    const finish = () => {
      this.#isDone = true;
      pause();
    };
    body.on('data', (chunk: Buffer) => {
      for (const rate of rates) rate.received(chunk.length);
      wait();
    });
    body.on('pause', pause).on('resume', wait);
    body.once('end', finish).once('close', finish).once('error', finish);
    sink?.on('drain', () => setImmediate(wait));
    sink?.once('close', finish);
    wait();
  }
}
