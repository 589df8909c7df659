import { DomainError, s3ErrorKind, statusIn } from '@homeport/platform/server';
import {
  DigestMismatch,
  PreconditionFailed,
  StorageFailed,
  StorageTimeout,
  StorageUnavailable,
  StorageIncompatible,
} from '../../domain/files.errors';

const FAILURES = { timeout: StorageTimeout, unavailable: StorageUnavailable, 'upstream-error': StorageFailed };

/** Maps an S3 error to a domain error; returns domain errors unchanged. */
export function storageErrorOf(error: unknown): DomainError {
  if (error instanceof DomainError) return error;
  const cause = { cause: error };
  if (error instanceof StorageIncompatible) return new StorageFailed(cause);
  const name = error instanceof Error ? error.name : '';
  if (statusIn(error) === 412 || name === 'ConditionalRequestConflict') return new PreconditionFailed();
  if (['BadDigest', 'InvalidDigest', 'XAmzContentSHA256Mismatch'].includes(name)) return new DigestMismatch();
  return new FAILURES[s3ErrorKind(error)](cause);
}
