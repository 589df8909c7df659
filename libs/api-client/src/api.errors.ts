import type { Problem } from './generated/types.gen';

/** The API answered with an error. `code` is stable: branch on it, not on the texts. */
export class ApiProblem extends Error {
  override readonly name = 'ApiProblem';
  readonly code: string;
  readonly status: number;
  readonly title: string;
  readonly detail: string;
  /** Name it in a support request: the server's log has the same id. */
  readonly request_id: string;
  readonly errors: NonNullable<Problem['errors']>;

  /** @param headers of the response, for example `ETag` of a 412. */
  constructor(
    problem: Problem,
    readonly headers: Headers,
  ) {
    super(`${problem.title}: ${problem.detail}`);
    this.code = problem.code;
    this.status = problem.status;
    this.title = problem.title;
    this.detail = problem.detail;
    this.request_id = problem.request_id;
    this.errors = problem.errors ?? [];
  }

  /** Reads the body of an error response. A proxy may answer without Problem Details; the code is then `http.{status}`. */
  static async from(response: Response): Promise<ApiProblem> {
    const body = jsonIn(await response.text().catch(() => ''));
    const problem = problemIn(body) ?? oauthProblemIn(body, response) ?? unknownProblem(response);
    return new ApiProblem(problem, response.headers);
  }
}

/** No response arrived. Whether the server processed the request is unknown. */
export class ConnectionFailed extends Error {
  override readonly name = 'ConnectionFailed';

  constructor(
    readonly url: string,
    cause: unknown,
  ) {
    super(`No response from ${new URL(url).origin}: ${reasonOf(cause)}`, { cause });
  }
}

/** @returns undefined for a text that is not JSON. */
function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function problemIn(body: unknown): Problem | undefined {
  const { code, status } = (body ?? {}) as Partial<Problem>;
  return typeof code === 'string' && typeof status === 'number' ? (body as Problem) : undefined;
}

/** `POST /auth/token` describes errors as OAuth does (RFC 6749, section 5.2). */
function oauthProblemIn(body: unknown, response: Response): Problem | undefined {
  const { error, error_description: detail } = (body ?? {}) as { error?: unknown; error_description?: unknown };
  if (typeof error !== 'string' || typeof detail !== 'string') return undefined;
  return { ...unknownProblem(response), code: `oauth.${error}`, detail };
}

function unknownProblem({ status, statusText, headers }: Response): Problem {
  return {
    type: 'about:blank',
    title: statusText || `Status ${status}`,
    status,
    detail: `The server answered ${status} without a description.`,
    code: `http.${status}`,
    request_id: headers.get('x-request-id') ?? '',
  };
}

/** Node wraps the reason of a failed connection, and reports several addresses as one aggregate without a message. */
function reasonOf(error: unknown): string {
  const { cause, message, code } = error as { cause?: unknown; message?: string; code?: string };
  return cause === undefined ? message || code || String(error) : reasonOf(cause);
}
