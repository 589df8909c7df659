import { S3ServiceException } from '@aws-sdk/client-s3';
import { DomainError } from '@homeport/platform/server';
import {
  DigestMismatch,
  PreconditionFailed,
  StorageFailed,
  StorageTimeout,
  StorageUnavailable,
  StorageUnsafe,
} from '../../domain/files.errors';

/** Whether S3 says, in exactly these words, that the object does not exist. Every other failure is a failure. */
export function isAbsence(error: unknown): boolean {
  return error instanceof S3ServiceException && (error.name === 'NoSuchKey' || error.name === 'NotFound');
}

export function statusIn(error: unknown): number | undefined {
  return error instanceof S3ServiceException ? error.$metadata.httpStatusCode : undefined;
}

/** Names a failure of S3 in our words; errors that are ours already stay themselves. */
export function storageErrorOf(error: unknown): DomainError {
  if (error instanceof DomainError) return error;
  const cause = { cause: error };
  if (error instanceof StorageUnsafe) return new StorageFailed(cause);
  const status = statusIn(error);
  const name = error instanceof Error ? error.name : '';
  // What came was not HTTP.
  if (error instanceof Error && 'code' in error && String(error.code).startsWith('HPE_'))
    return new StorageFailed(cause);
  if (status === 412 || name === 'ConditionalRequestConflict') return new PreconditionFailed();
  if (['BadDigest', 'InvalidDigest', 'XAmzContentSHA256Mismatch'].includes(name)) return new DigestMismatch();
  if (name === 'TimeoutError' || name === 'RequestTimeout') return new StorageTimeout(cause);
  if (status === 503 || status === 500 || status === 429 || name === 'SlowDown') return new StorageUnavailable(cause);
  if (status !== undefined) return new StorageFailed(cause);
  return new StorageUnavailable(cause);
}
