import { DomainError, createTimedCall, type TimeoutErrorFactory, s3ErrorKind } from '@homeport/platform/server';
import { BlobStorageFailed, BlobStorageTimeout, BlobStorageUnavailable } from '../../domain/blobs/blobs.errors';

const FAILURES = {
  timeout: BlobStorageTimeout,
  unavailable: BlobStorageUnavailable,
  'upstream-error': BlobStorageFailed,
};

/** Maps an S3 failure to a domain error. Returns domain errors unchanged. */
export function blobErrorOf(error: unknown): DomainError {
  return error instanceof DomainError ? error : new FAILURES[s3ErrorKind(error)]({ cause: error });
}

export const timeoutError: TimeoutErrorFactory = (options) => new BlobStorageTimeout(options);

/** Runs a storage call with a time limit. @throws {BlobStorageTimeout} */
export const withTimeout = createTimedCall(timeoutError);
