import { S3ServiceException } from '@aws-sdk/client-s3';
import { CodedFailure, isError } from '../observability/failure-cause';

/** How a call to S3 failed. Each domain maps the kinds to its own errors (`createStorageErrors`). */
export type S3FailureKind = 'digest-mismatch' | 'timeout' | 'unavailable' | 'upstream-error';

const DIGEST_CODES = ['BadDigest', 'InvalidDigest', 'XAmzContentSHA256Mismatch'];
/** `TimeoutError` is a name of the SDK, `RequestTimeout` a code of S3, and the others are codes of undici. */
const TIMEOUT_CODES = ['TimeoutError', 'RequestTimeout', 'UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT'];
const BROKEN_CONNECTION_CODES = ['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE'];
const UNAVAILABLE_STATUSES = [429, 500, 503];

/** An error response of S3 to a request that was sent without the SDK. */
export class S3ResponseError extends CodedFailure {
  /** @param s3Code the code in the error document of S3, if there is one. */
  constructor(
    readonly httpStatus: number,
    s3Code: string | undefined,
  ) {
    super(s3Code ?? `HTTP_${httpStatus}`, `S3 answered ${httpStatus}, ${s3Code ?? 'without a code'}`);
  }
}

/** Whether the error means that the object does not exist. A missing bucket does not count. */
export function isObjectNotFound(error: unknown): boolean {
  return error instanceof S3ServiceException && (error.name === 'NoSuchKey' || error.name === 'NotFound');
}

/** Whether S3 rejected a request because of its condition, or because of a concurrent write under a condition. */
export function isPreconditionFailure(error: unknown): boolean {
  return statusIn(error) === 412 || codesOf(error).includes('ConditionalRequestConflict');
}

/** Whether the connection broke, which allows a retry; false for timeouts and aborted requests. */
export function isBrokenConnection(error: unknown): boolean {
  return codesOf(error).some((code) => BROKEN_CONNECTION_CODES.includes(code));
}

/** @returns the HTTP status of an error response; undefined when there was no response. */
export function statusIn(error: unknown): number | undefined {
  if (error instanceof S3ResponseError) return error.httpStatus;
  return error instanceof S3ServiceException ? error.$metadata.httpStatusCode : undefined;
}

/** Classifies an error of the SDK, of undici or of the network. */
export function s3FailureKind(error: unknown): S3FailureKind {
  const codes = codesOf(error);
  const isAny = (known: readonly string[]) => codes.some((code) => known.includes(code));
  if (isAny(DIGEST_CODES)) return 'digest-mismatch';
  // The response was not valid HTTP.
  if (codes.some((code) => code.startsWith('HPE_'))) return 'upstream-error';
  // The SDK names a reset connection a TimeoutError.
  if (isBrokenConnection(error)) return 'unavailable';
  if (isAny(TIMEOUT_CODES)) return 'timeout';
  const status = statusIn(error);
  const isUnavailable = status === undefined || UNAVAILABLE_STATUSES.includes(status) || isAny(['SlowDown']);
  return isUnavailable ? 'unavailable' : 'upstream-error';
}

/** The SDK sets the code of S3 as the name of an error; undici and the network set `code`. */
function codesOf(error: unknown): readonly string[] {
  if (!isError(error)) return [];
  return 'code' in error ? [error.name, String(error.code)] : [error.name];
}
