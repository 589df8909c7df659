import type { FieldProblem } from '@homeport/platform/contracts';

/** What kind of failure an error is. The platform maps kinds to HTTP statuses, once, in `problem-of.ts`. */
export const ERROR_KINDS = [
  'invalid',
  'unauthenticated',
  'forbidden',
  'not-found',
  'method-not-allowed',
  'request-timeout',
  'conflict',
  'precondition-failed',
  'too-large',
  'unsupported-media-type',
  'range-not-satisfiable',
  'unprocessable',
  'rate-limited',
  'headers-too-large',
  'internal',
  'upstream-error',
  'unavailable',
  'timeout',
] as const;
export type ErrorKind = (typeof ERROR_KINDS)[number];

/**
 * A failure the product knows and names. The message reaches the person, so it never holds a path of the server,
 * a bucket, SQL or a secret; what operators need goes into `cause`.
 */
export abstract class DomainError extends Error {
  abstract readonly kind: ErrorKind;
  /** Stable, `<domain>.<kebab-case>`. */
  abstract readonly code: string;
  /** The fields at fault, when the request had several. */
  readonly fields: readonly FieldProblem[] | undefined;
  /** Headers the answer carries besides the usual ones, such as `Allow` or `ETag`. */
  readonly headers: Readonly<Record<string, string>> | undefined;

  override get name(): string {
    return this.constructor.name;
  }
}
