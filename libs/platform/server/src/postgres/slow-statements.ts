/**
 * Milliseconds. Statements of the product take a fraction of it, also on a busy machine; the server cancels them after
 * two seconds.
 */
const SLOW_MS = 1_500;
/** A single slow statement may have waited for a lock. */
const SLOW_IN_A_ROW = 2;
/** Milliseconds from the detection, or from the last query that tried, until another one may try. */
const RETRY_AFTER_MS = 1_000;
/** Milliseconds from a slow statement: longer than its request needs to begin the next one, which would be slow too. */
const RETRY_AFTER_SLOW_MS = 250;

/**
 * Detects a connection to PostgreSQL on which every statement is slow but none exceeds its time limit. A request with
 * many statements would otherwise take many times that limit.
 */
export class SlowStatements {
  #inARow = 0;
  #retryAt = -Infinity;
  #lastFastBeganAt = -Infinity;

  /** @param now a clock in milliseconds. */
  constructor(private readonly now: () => number = () => performance.now()) {}

  /** Records a statement that succeeded now. */
  record(durationMs: number): void {
    const beganAt = this.now() - durationMs;
    if (durationMs < SLOW_MS) {
      this.#inARow = 0;
      this.#lastFastBeganAt = beganAt;
      return;
    }
    // A statement that began before a fast one tells how PostgreSQL was, not how it is.
    if (beganAt < this.#lastFastBeganAt) return;
    this.#inARow += 1;
    if (this.#inARow === SLOW_IN_A_ROW) this.#retryAt = this.now() + RETRY_AFTER_MS;
    else this.#retryAt = Math.max(this.#retryAt, this.now() + RETRY_AFTER_SLOW_MS);
  }

  /** Whether every statement is slow. */
  get isDetected(): boolean {
    return this.#inARow >= SLOW_IN_A_ROW;
  }

  /**
   * Whether a query or transaction that would begin now must be rejected. Otherwise it must be run: it may be the only
   * one that tries.
   */
  rejectsNext(): boolean {
    if (!this.isDetected) return false;
    if (this.now() < this.#retryAt) return true;
    this.#retryAt = this.now() + RETRY_AFTER_MS;
    return false;
  }
}
