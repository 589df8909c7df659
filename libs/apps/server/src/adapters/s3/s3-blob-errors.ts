import { DomainError, createTimedCall, type TimeoutErrorFactory, s3ErrorKind } from '@homeport/platform/server';
import { BlobStorageFailed, BlobStorageTimeout, BlobStorageUnavailable } from '../../domain/blobs/blobs.errors';

const FAILURES = {
  timeout: BlobStorageTimeout,
  unavailable: BlobStorageUnavailable,
  'upstream-error': BlobStorageFailed,
};

/** Names a failure of S3 in our words; errors that are ours already stay themselves. */
export function blobErrorOf(error: unknown): DomainError {
  return error instanceof DomainError ? error : new FAILURES[s3ErrorKind(error)]({ cause: error });
}

export const timeoutError: TimeoutErrorFactory = (options) => new BlobStorageTimeout(options);

/** Asks storage something it has a limited time to answer. @throws {BlobStorageTimeout} */
export const withTimeout = createTimedCall(timeoutError);
