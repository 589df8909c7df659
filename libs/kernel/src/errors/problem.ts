/** One invalid field of a rejected request. `field` names a JSON field, a query parameter or an archive entry. */
export interface FieldProblem {
  readonly field: string;
  readonly reason: string;
}

/** The body of every error response: RFC 9457 Problem Details, media type `application/problem+json`. */
export interface Problem {
  readonly type: string;
  /** The short name of the kind of problem, the same for every occurrence. */
  readonly title: string;
  /** The HTTP status. */
  readonly status: number;
  /** What happened in this case and what to do next, in plain sentences. */
  readonly detail: string;
  /** Stable, `<domain>.<kebab-case>`. Clients branch on this field only. */
  readonly code: string;
  /** Repeated in the `X-Request-Id` header and in every log line of the request. */
  readonly request_id: string;
  readonly errors?: readonly FieldProblem[];
}
