export interface RetryOptions {
  /** The maximum number of attempts, including the first one. */
  readonly attempts: number;
  /** Whether another attempt may succeed. By default every error is retried. */
  readonly isRetryable?: (error: unknown) => boolean;
  /**
   * The delay before the next attempt; none when absent.
   * @param failures the number of failed attempts, at least 1.
   * @returns milliseconds.
   */
  readonly delayMs?: (failures: number) => number;
  /** Waits between two attempts; an error ends the retries. A timer when absent. */
  readonly wait?: (ms: number) => Promise<unknown>;
}

/**
 * Repeats work that fails.
 * @param work must be safe to repeat.
 * @throws the error of the last attempt, of the first one that cannot be retried, or of `wait`.
 */
export async function retry<T>(work: () => Promise<T>, options: RetryOptions): Promise<T> {
  const { attempts, isRetryable = () => true, delayMs, wait = pause } = options;
  for (let failures = 1; ; failures += 1) {
    try {
      return await work();
    } catch (error) {
      if (failures >= attempts || !isRetryable(error)) throw error;
    }
    if (delayMs) await wait(delayMs(failures));
  }
}

export interface BackoffOptions {
  /** The delay after the first failure, in milliseconds. */
  readonly firstMs: number;
  readonly maxMs: number;
  /** The growth of the delay with each failure; 2 by default. */
  readonly factor?: number;
}

/**
 * The delay after a failure, which grows exponentially up to a maximum.
 * @param failures the number of failures, at least 1.
 * @returns milliseconds.
 */
export function backoffMs(failures: number, { firstMs, maxMs, factor = 2 }: BackoffOptions): number {
  return Math.min(maxMs, firstMs * factor ** (failures - 1));
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
