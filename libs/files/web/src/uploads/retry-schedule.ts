import { backoffMs } from '@homeport/kernel';
import type { HttpProblem } from '@homeport/platform/web';

const INITIAL_DELAY_MS = 500;
const MAX_DELAY_MS = 30_000;
/** Attempts for a transient failure other than 429. */
const MAX_ATTEMPTS = 6;

export interface FailedAttempt {
  readonly problem: Pick<HttpProblem, 'kind' | 'status'>;
  /** The number of attempts, including this one. */
  readonly attempts: number;
  /** The `Retry-After` of the server, in milliseconds. */
  readonly retryAfterMs: number | undefined;
}

/** Whether a retry may succeed. Being offline is not transient: the upload waits for the connection instead. */
export function isTransient({ kind, status }: FailedAttempt['problem']): boolean {
  return kind === 'unreachable' || status === 429 || status >= 500;
}

/**
 * The delay before the next attempt.
 * @param random from 0 to 1; spreads the retries of many clients.
 * @returns milliseconds; undefined when a retry cannot succeed.
 */
export function retryDelayMs({ problem, attempts, retryAfterMs }: FailedAttempt, random: number): number | undefined {
  if (!isTransient(problem)) return undefined;
  // A 429 is retried without a limit: the server says when it accepts requests again.
  if (attempts >= MAX_ATTEMPTS && problem.status !== 429) return undefined;
  const backoff = backoffMs(attempts, { firstMs: INITIAL_DELAY_MS, maxMs: MAX_DELAY_MS });
  return Math.round(Math.max(retryAfterMs ?? 0, backoff) * (1 + random / 2));
}

/** Converts a `Retry-After` header, seconds or a date, to milliseconds; undefined when it is missing or invalid. */
export function retryAfterMs(header: string | null, now: number): number | undefined {
  if (header === null || header.trim() === '') return undefined;
  const seconds = Number(header);
  const wait = Number.isNaN(seconds) ? Date.parse(header) - now : seconds * 1_000;
  return Number.isNaN(wait) ? undefined : Math.max(0, wait);
}
