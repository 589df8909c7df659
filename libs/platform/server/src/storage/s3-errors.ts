import { S3ServiceException } from '@aws-sdk/client-s3';
import type { ErrorKind } from '../problems/domain-error';

/** Whether the error means that the object does not exist. A missing bucket does not count. */
export function isObjectNotFound(error: unknown): boolean {
  return error instanceof S3ServiceException && (error.name === 'NoSuchKey' || error.name === 'NotFound');
}

export function statusIn(error: unknown): number | undefined {
  return error instanceof S3ServiceException ? error.$metadata.httpStatusCode : undefined;
}

/** The default error kind for an error of the SDK. */
export function s3ErrorKind(error: unknown): Extract<ErrorKind, 'timeout' | 'unavailable' | 'upstream-error'> {
  const status = statusIn(error);
  const name = error instanceof Error ? error.name : '';
  // The response was not valid HTTP.
  if (error instanceof Error && 'code' in error && String(error.code).startsWith('HPE_')) return 'upstream-error';
  if (name === 'TimeoutError' || name === 'RequestTimeout') return 'timeout';
  if (status === 503 || status === 500 || status === 429 || name === 'SlowDown') return 'unavailable';
  return status === undefined ? 'unavailable' : 'upstream-error';
}
