import { causeCodeOf } from '../../observability/failure-cause';
import { redacted } from '../../observability/error-record';
import { type DomainError, statusOf } from '@homeport/kernel';

/** The fields that a failed request adds to its log line. */
export interface ProblemLogFields {
  /** The code of the problem in the response. */
  readonly code: string;
  /** For server errors (5xx): the machine-readable cause. */
  readonly cause?: string;
  /** For rejected requests (4xx): the violated rule, if the response does not name it. */
  readonly reason?: string;
}

const logFields = new WeakMap<object, ProblemLogFields>();

/** Stores the error of a request for its log line. */
export function recordProblem(request: object, error: DomainError): void {
  const { code, cause, kind } = error;
  logFields.set(request, {
    code,
    ...(statusOf(kind) >= 500 && { cause: causeCodeOf(error) }),
    ...(typeof cause === 'string' && { reason: redacted(cause) }),
  });
}

/** @returns `undefined` for a request that did not fail. */
export function problemLogFieldsOf(request: object): ProblemLogFields | undefined {
  return logFields.get(request);
}
