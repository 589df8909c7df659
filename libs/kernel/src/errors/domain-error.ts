import type { FieldProblem } from './problem';

/** The kinds of errors. `problem-of.ts` maps each kind to an HTTP status and a title. */
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
  'expectation-failed',
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
 * An expected error. Its message is shown to the user, so it never contains server paths, bucket names, SQL or secrets.
 * Details for operators belong in `cause`.
 */
export abstract class DomainError extends Error {
  abstract readonly kind: ErrorKind;
  /** Stable, `<domain>.<kebab-case>`. */
  abstract readonly code: string;
  /** The invalid fields of the request, if the error concerns fields. */
  readonly fields: readonly FieldProblem[] | undefined;
  /** Additional response headers, such as `Allow` or `ETag`. */
  readonly headers: Readonly<Record<string, string>> | undefined;

  override get name(): string {
    return this.constructor.name;
  }
}
