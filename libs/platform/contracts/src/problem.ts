/** One field at fault in a refused request. `field` names a JSON field, a query parameter or an archive entry. */
export interface FieldProblem {
  readonly field: string;
  readonly reason: string;
}

/** The body of every error answer: RFC 9457 Problem Details, media type `application/problem+json`. */
export interface Problem {
  readonly type: string;
  readonly title: string;
  /** The HTTP status. */
  readonly status: number;
  /** What happened, in a sentence a person can act on. */
  readonly detail: string;
  /** Stable, `<domain>.<kebab-case>`; programs decide on this and nothing else. */
  readonly code: string;
  /** Repeated in the `X-Request-Id` header and in every log line of the request. */
  readonly request_id: string;
  readonly errors?: readonly FieldProblem[];
}
