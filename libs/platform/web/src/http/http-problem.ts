import type { FieldProblem, Problem } from '@homeport/kernel';
import { translateProblem } from '../language/server-messages';

/**
 * How a call failed: `refused` by an API response, `offline` because this device has no connection, `unreachable`
 * because no response arrived, `unexpected` because the response is not understood.
 */
export type FailureKind = 'refused' | 'offline' | 'unreachable' | 'unexpected';

export interface HttpProblemParts {
  readonly kind: FailureKind;
  /** The HTTP status; 0 without a response. */
  readonly status: number;
  readonly title: string;
  readonly detail: string;
  /** The code of the API, or `client.<kind>` without Problem Details. */
  readonly code: string;
  readonly requestId?: string;
  readonly errors?: readonly FieldProblem[];
}

/** The error of every failed call: a code for decisions, title and detail for the user. */
export class HttpProblem extends Error {
  override readonly name = 'HttpProblem';
  readonly kind: FailureKind;
  readonly status: number;
  readonly title: string;
  readonly detail: string;
  readonly code: string;
  readonly requestId: string | undefined;
  readonly errors: readonly FieldProblem[];

  constructor(parts: HttpProblemParts) {
    super(`${parts.title} (${parts.code})`);
    this.kind = parts.kind;
    this.status = parts.status;
    this.title = parts.title;
    this.detail = parts.detail;
    this.code = parts.code;
    this.requestId = parts.requestId;
    this.errors = parts.errors ?? [];
  }

  /** Whether the connection failed, which says nothing about the request itself. */
  get isConnectionFailure(): boolean {
    return this.kind === 'offline' || this.kind === 'unreachable';
  }
}

/** A failed response, or a missing one with status 0. */
export interface FailedResponse {
  readonly status: number;
  /** The body as text; empty without a body. */
  readonly body: string;
  readonly requestId: string | null;
  /** Whether the browser reports a connection. */
  readonly online: boolean;
}

/** Converts a failed response. A 504 without Problem Details comes from the service worker: no response arrived. */
export function problemFrom(answer: FailedResponse): HttpProblem {
  const problem = parseProblem(answer.body);
  if (problem) {
    const { status, code, errors } = problem;
    const { title, detail } = translateProblem(problem);
    return new HttpProblem({ kind: 'refused', status, title, detail, code, requestId: problem.request_id, errors });
  }
  if (answer.status === 0 || answer.status === 504) return answer.online ? unreachable() : offline();
  return unexpected(answer);
}

/** Converts any thrown value, so that a screen handles one error type. */
export function asHttpProblem(error: unknown): HttpProblem {
  if (error instanceof HttpProblem) return error;
  return new HttpProblem({
    kind: 'unexpected',
    status: 0,
    title: $localize`Something went wrong`,
    detail: $localize`Something went wrong on this page. Try again, or reload the page.`,
    code: 'client.unexpected',
  });
}

function offline(): HttpProblem {
  return new HttpProblem({
    kind: 'offline',
    status: 0,
    title: $localize`You are offline`,
    detail: $localize`This device has no connection. Try again when it is back.`,
    code: 'client.offline',
  });
}

function unreachable(): HttpProblem {
  return new HttpProblem({
    kind: 'unreachable',
    status: 0,
    title: $localize`The server cannot be reached`,
    detail: $localize`The server did not respond. Check your connection and try again.`,
    code: 'client.unreachable',
  });
}

/** A response without Problem Details: to a HEAD request, or from a proxy in front of the API. */
function unexpected({ status, requestId }: FailedResponse): HttpProblem {
  return new HttpProblem({
    kind: 'unexpected',
    status,
    ...unexpectedMessage(status),
    code: 'client.unexpected',
    requestId: requestId ?? undefined,
  });
}

function unexpectedMessage(status: number): Pick<HttpProblemParts, 'title' | 'detail'> {
  // A proxy in front of the API may send this status too, without Problem Details.
  if (status === 429) {
    return {
      title: $localize`Too many requests`,
      detail: $localize`There were too many requests. Wait a little and try again.`,
    };
  }
  const title = $localize`Something went wrong`;
  return status >= 500
    ? { title, detail: $localize`The server cannot do this right now. Try again in a moment.` }
    : {
        title,
        detail: $localize`The server sent an unexpected response (status ${status}:status:).`,
      };
}

function parseProblem(body: string): Problem | undefined {
  let parsed: unknown;
  try {
    parsed = JSON.parse(body);
  } catch {
    return undefined;
  }
  return isProblem(parsed) ? parsed : undefined;
}

function isProblem(value: unknown): value is Problem {
  if (typeof value !== 'object' || value === null) return false;
  const { title, detail, code, status } = value as Partial<Record<keyof Problem, unknown>>;
  return (
    typeof title === 'string' && typeof detail === 'string' && typeof code === 'string' && typeof status === 'number'
  );
}
