import { causeCodeOf } from '../observability/failure-cause';
import { redacted } from '../observability/error-record';
import type { DomainError } from './domain-error';
import { statusOf } from './problem-of';

/** What the line of a failed request says about the failure. */
export interface ProblemLogFields {
  /** The code of the problem the client was sent. */
  readonly code: string;
  /** Of a failure of ours (5xx): the machine-readable cause. */
  readonly cause?: string;
  /** Of a refusal (4xx): which rule, where the client is not told. */
  readonly reason?: string;
}

const logFields = new WeakMap<object, ProblemLogFields>();

/** Keeps what a request failed with until its line is written. */
export function recordProblem(request: object, error: DomainError): void {
  const { code, cause, kind } = error;
  logFields.set(request, {
    code,
    ...(statusOf(kind) >= 500 && { cause: causeCodeOf(error) }),
    ...(typeof cause === 'string' && { reason: redacted(cause) }),
  });
}

/** @returns undefined for a request that did not fail. */
export function problemLogFieldsOf(request: object): ProblemLogFields | undefined {
  return logFields.get(request);
}
