import { createStorageErrors } from '@homeport/platform/server/storage';
import { type DomainError } from '@homeport/kernel';
import {
  DigestMismatch,
  StorageFailed,
  StorageTimeout,
  StorageUnavailable,
  StorageIncompatible,
} from '../../domain/files.errors';

/** The errors of files for failures of S3. */
export const storageErrors = createStorageErrors({
  'digest-mismatch': () => new DigestMismatch(),
  timeout: (options) => new StorageTimeout(options),
  unavailable: (options) => new StorageUnavailable(options),
  'upstream-error': (options) => new StorageFailed(options),
});

/** `withTimeout` runs a storage call with a timeout. @throws {StorageTimeout} */
export const { timeout: storageTimeout, withTimeout, invalidResponse } = storageErrors;

/** Maps a failure of S3 to a domain error; returns domain errors unchanged. */
export function storageErrorOf(error: unknown): DomainError {
  return error instanceof StorageIncompatible ? new StorageFailed({ cause: error }) : storageErrors.translate(error);
}
