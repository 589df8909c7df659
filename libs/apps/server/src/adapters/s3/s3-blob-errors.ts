import { DomainError, inTimeOr, type LateError, s3FailureKind } from '@homeport/platform/server';
import { BlobStorageFailed, BlobStorageTimeout, BlobStorageUnavailable } from '../../domain/blobs/blobs.errors';

const FAILURES = {
  timeout: BlobStorageTimeout,
  unavailable: BlobStorageUnavailable,
  'upstream-error': BlobStorageFailed,
};

/** Names a failure of S3 in our words; errors that are ours already stay themselves. */
export function blobErrorOf(error: unknown): DomainError {
  return error instanceof DomainError ? error : new FAILURES[s3FailureKind(error)]({ cause: error });
}

export const late: LateError = (options) => new BlobStorageTimeout(options);

/** Asks storage something it has a limited time to answer. @throws {BlobStorageTimeout} */
export const inTime = inTimeOr(late);
