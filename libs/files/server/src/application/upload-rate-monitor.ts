import type { Readable, Writable } from 'node:stream';
import {
  combinedSignal,
  MinimumRate,
  type RateClock,
  type MinimumRateOptions,
  SYSTEM_RATE_CLOCK,
  UPLOAD_MINIMUM_RATE,
} from '@homeport/kernel/node';

/**
 * 256 KiB/s: a part of 8 MiB is complete after 32 s. An upload that was slower in its last window is aborted when other
 * uploads wait for its memory. The first window is longer, because connections start slowly.
 */
const CONTENDED_MINIMUM_RATE: MinimumRateOptions = { bytes: 1280 * 1024, windowMs: 5_000, graceMs: 5_000 };

/** Measures the rate of one upload's client. Time in which the server does not read does not count. */
export class UploadRateMonitor {
  readonly #minimumRate: MinimumRate;
  readonly #contendedRate: MinimumRate;
  readonly #abortController = new AbortController();
  readonly #slowListeners: (() => void)[] = [];
  #isBelowContendedRate = false;
  #isDone = false;
  /** Aborted when the client is below the minimum rate or other uploads need the memory. */
  readonly signal: AbortSignal;

  /** @param clock replaceable for tests. */
  constructor(clock: RateClock = SYSTEM_RATE_CLOCK) {
    this.#minimumRate = new MinimumRate(UPLOAD_MINIMUM_RATE, clock);
    this.#contendedRate = new MinimumRate(CONTENDED_MINIMUM_RATE, clock, (isBelow) => this.#recordWindow(isBelow));
    this.signal = combinedSignal(this.#minimumRate.signal, this.#abortController.signal);
  }

  /** Whether an unfinished upload was below the contended rate in the last window. */
  get isSlow(): boolean {
    return !this.#isDone && this.#isBelowContendedRate;
  }

  /** @param listener called each time the client becomes slow. */
  onSlow(listener: () => void): void {
    this.#slowListeners.push(listener);
  }

  abort(reason: Error): void {
    this.#abortController.abort(reason);
  }

  #recordWindow(isBelow: boolean): void {
    const becameSlow = isBelow && !this.#isBelowContendedRate;
    this.#isBelowContendedRate = isBelow;
    if (becameSlow) for (const listener of this.#slowListeners) listener();
  }

  /**
   * Starts to monitor the body, which switches it to flowing mode.
   * @param sink the stream that the body is piped into, if any.
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
