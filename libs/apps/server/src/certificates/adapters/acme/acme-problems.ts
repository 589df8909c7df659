import { CodedFailure } from '@homeport/platform/server/observability';
import { IssuanceFailed, type IssuanceProblem } from '../../domain/issuance-failed';

export interface AcmeResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: unknown;
}

const PREFIX = 'urn:ietf:params:acme:error:';
/** For the limits of the authority when it names no time. */
const DEFAULT_RETRY_AFTER_MS = 3_600_000;
const MAX_DETAIL_LENGTH = 500;

interface Problem {
  readonly type?: unknown;
  readonly detail?: unknown;
}

/** Whether the body of a response is a problem of this type. */
export function hasProblemType(body: unknown, type: string): boolean {
  return (Object(body) as Problem).type === `${PREFIX}${type}`;
}

/** The failure that an error response stands for. */
export function failureFrom(response: AcmeResponse): IssuanceFailed {
  const { body } = response;
  const retryAfterMs = retryAfterOf(response);
  const problem = problemOf(response);
  const waits = problem === 'rate-limited' ? (retryAfterMs ?? DEFAULT_RETRY_AFTER_MS) : retryAfterMs;
  const detail = describeProblem(body) || `the authority answers ${response.status}`;
  return new IssuanceFailed(problem, detail, waits, { cause: new CodedFailure(`HTTP_${response.status}`, detail) });
}

function problemOf({ status, body }: AcmeResponse): IssuanceProblem {
  if (status === 429 || hasProblemType(body, 'rateLimited')) return 'rate-limited';
  if (hasProblemType(body, 'accountDoesNotExist') || status === 404) return 'lost';
  if (status >= 500 || hasProblemType(body, 'badNonce')) return 'unavailable';
  return 'rejected';
}

/** The type and the detail of a problem in one line; empty for anything else. */
export function describeProblem(body: unknown): string {
  const { type, detail } = Object(body) as Problem;
  const parts = [typeof type === 'string' ? type.replace(PREFIX, '') : '', typeof detail === 'string' ? detail : ''];
  return parts.filter(Boolean).join(': ').slice(0, MAX_DETAIL_LENGTH);
}

/** Milliseconds; undefined without a valid `Retry-After` header. */
export function retryAfterOf({ headers }: Pick<AcmeResponse, 'headers'>): number | undefined {
  const value = String(headers['retry-after'] ?? '');
  if (/^\d+$/.test(value)) return Number(value) * 1_000;
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now());
}
