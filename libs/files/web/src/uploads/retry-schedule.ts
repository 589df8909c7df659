import type { HttpProblem } from '@homeport/platform/web';

const FIRST_MS = 500;
const LAST_MS = 30_000;
/** How often something is sent that is refused for a reason that may pass. */
const ATTEMPTS = 6;

export interface FailedAttempt {
  readonly problem: Pick<HttpProblem, 'kind' | 'status'>;
  /** How many there were, this one included. */
  readonly attempts: number;
  /** What the server asked for, in milliseconds. */
  readonly retryAfterMs: number | undefined;
}

/** Whether a failure may pass by itself. Being offline does not count: that is waited for. */
export function isTransient({ kind, status }: FailedAttempt['problem']): boolean {
  return kind === 'unreachable' || status === 429 || status >= 500;
}

/**
 * How long to wait before sending again, in milliseconds; undefined when that is no use.
 * @param random from 0 to 1, so that many who wait do not come back in one moment.
 */
export function retryDelayMs({ problem, attempts, retryAfterMs }: FailedAttempt, random: number): number | undefined {
  if (!isTransient(problem)) return undefined;
  // Too many requests is no failure: the server says when there is room again.
  if (attempts >= ATTEMPTS && problem.status !== 429) return undefined;
  const growing = Math.min(LAST_MS, FIRST_MS * 2 ** (attempts - 1));
  return Math.round(Math.max(retryAfterMs ?? 0, growing) * (1 + random / 2));
}

/** A `Retry-After` in milliseconds: seconds, or a date. */
export function retryAfterMs(header: string | null, now: number): number | undefined {
  if (header === null || header.trim() === '') return undefined;
  const seconds = Number(header);
  const wait = Number.isNaN(seconds) ? Date.parse(header) - now : seconds * 1_000;
  return Number.isNaN(wait) ? undefined : Math.max(0, wait);
}
