/** The methods that have the same effect when they are repeated (RFC 9110, section 9.2.2). */
const IDEMPOTENT = ['GET', 'HEAD', 'PUT', 'DELETE', 'OPTIONS'];
/** A rate limit rejects a request before anything processes it. */
const LIMITED = 429;
/** The server rejected the request before it changed anything. */
const REJECTED = [LIMITED, 503];
/** The request may have been processed. */
const UNCERTAIN = [408, 502, 504];

/** The statuses of responses that a later attempt can replace by a success. */
export const TEMPORARY: readonly number[] = [...REJECTED, ...UNCERTAIN];

export interface RetryPolicy {
  /** Total number of attempts, the first one included. Default: 4. */
  readonly attempts: number;
  /** Average wait before the second attempt, in milliseconds; doubles with each attempt, with full jitter. Default: 500. */
  readonly baseMs: number;
  /** A `Retry-After` above this ends the attempts, in milliseconds. Default: 30,000. */
  readonly maxWaitMs: number;
  /** Replaced in tests. Rejects when the signal aborts. */
  readonly wait: (milliseconds: number, signal?: AbortSignal | null) => Promise<void>;
}

export const DEFAULT_RETRIES: RetryPolicy = { attempts: 4, baseMs: 500, maxWaitMs: 30_000, wait };

/** How an attempt ended: with a response, or undefined without one. */
export interface FailedAttempt {
  readonly request: Request;
  readonly response: Response | undefined;
  /** 1 for the first attempt. */
  readonly attempt: number;
  /** Whether the operation has the same effect when it is repeated, although its method is not idempotent. */
  readonly isRepeatable?: boolean | undefined;
}

/** @returns the wait before the next attempt in milliseconds; undefined to give up. */
export function waitBeforeRetry(policy: RetryPolicy, failed: FailedAttempt): number | undefined {
  const { response, attempt } = failed;
  if (attempt >= policy.attempts || !mayRepeat(failed)) return undefined;
  const requested = retryAfterMs(response?.headers.get('retry-after') ?? null);
  if (requested !== undefined) return requested <= policy.maxWaitMs ? requested : undefined;
  return Math.random() * Math.min(policy.baseMs * 2 ** attempt, policy.maxWaitMs);
}

/**
 * A conditional write must not be repeated after an uncertain end: when the first attempt has succeeded, the second one
 * would report a conflict that does not exist.
 */
function mayRepeat({ request: { method, headers }, response, isRepeatable = false }: FailedAttempt): boolean {
  const status = response?.status;
  const isRejection = status !== undefined && REJECTED.includes(status);
  const isUncertain = status === undefined || UNCERTAIN.includes(status);
  if (status === LIMITED) return true;
  if (!isRejection && !isUncertain) return false;
  if (!isRepeatable && !IDEMPOTENT.includes(method) && !headers.has('idempotency-key')) return false;
  const isConditionalWrite =
    !['GET', 'HEAD'].includes(method) && (headers.has('if-match') || headers.has('if-none-match'));
  return isRejection || !isConditionalWrite;
}

/** @returns milliseconds; undefined when absent or malformed. */
function retryAfterMs(value: string | null): number | undefined {
  if (value === null) return undefined;
  const milliseconds = /^\d+$/.test(value) ? Number(value) * 1_000 : Date.parse(value) - Date.now();
  return Number.isNaN(milliseconds) ? undefined : Math.max(0, milliseconds);
}

function wait(milliseconds: number, signal?: AbortSignal | null): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const timer = setTimeout(done, milliseconds);
    const abort = () => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    function done(): void {
      signal?.removeEventListener('abort', abort);
      resolve();
    }
    signal?.addEventListener('abort', abort, { once: true });
  });
}
