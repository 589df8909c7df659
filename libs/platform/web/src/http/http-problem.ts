import type { FieldProblem, Problem } from '@homeport/platform/contracts';
import { translateProblem } from '../language/server-messages';

/**
 * How a call failed: `refused` with an answer of the API, `offline` because this device has no connection,
 * `unreachable` because nothing answered, `unexpected` for an answer nobody understands.
 */
export type FailureKind = 'refused' | 'offline' | 'unreachable' | 'unexpected';

export interface HttpProblemParts {
  readonly kind: FailureKind;
  /** The HTTP status; 0 when nothing answered. */
  readonly status: number;
  readonly title: string;
  readonly detail: string;
  /** Of the API, or `client.<kind>` when the API said nothing. */
  readonly code: string;
  readonly requestId?: string;
  readonly errors?: readonly FieldProblem[];
}

/** Every failed call of the client ends as one of these: a code to decide on, words to show. */
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

  /** Whether it failed for want of a connection: nothing is said about what was asked. */
  get isConnectionFailure(): boolean {
    return this.kind === 'offline' || this.kind === 'unreachable';
  }
}

/** The parts of a non-2xx answer, or of no answer, that say what went wrong. */
export interface FailedResponse {
  readonly status: number;
  /** The body as text; empty when there was none. */
  readonly body: string;
  readonly requestId: string | null;
  /** Whether this device believes it is connected. */
  readonly online: boolean;
}

/** What a failed answer means. A 504 without Problem Details is the service worker saying nothing answered. */
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

/** Any thrown value as a problem, so that a screen has one thing to show. */
export function asHttpProblem(error: unknown): HttpProblem {
  if (error instanceof HttpProblem) return error;
  return new HttpProblem({
    kind: 'unexpected',
    status: 0,
    title: $localize`Something went wrong`,
    detail: $localize`This page made a mistake. Try again, or reload it.`,
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
    detail: $localize`Nothing answered. Check your connection and try again.`,
    code: 'client.unreachable',
  });
}

/** An answer without Problem Details: a HEAD has no body, and something between here and the API may answer too. */
function unexpected({ status, requestId }: FailedResponse): HttpProblem {
  return new HttpProblem({
    kind: 'unexpected',
    status,
    ...unexpectedWords(status),
    code: 'client.unexpected',
    requestId: requestId ?? undefined,
  });
}

function unexpectedWords(status: number): Pick<HttpProblemParts, 'title' | 'detail'> {
  // Something in front of the API may say this too, without its words.
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
        detail: $localize`The server answered in a way this page does not understand (status ${status}:status:).`,
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
