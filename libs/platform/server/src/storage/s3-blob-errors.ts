import { createStorageErrors } from './storage-errors';
import { BlobStorageFailed, BlobStorageTimeout, BlobStorageUnavailable } from '../blobs/blobs.errors';

/** The blob errors for failures of S3. `withTimeout` throws `BlobStorageTimeout`. */
export const blobErrors = createStorageErrors({
  // Blobs are sent without a digest, so this response contradicts the request.
  'digest-mismatch': (options) => new BlobStorageFailed(options),
  timeout: (options) => new BlobStorageTimeout(options),
  unavailable: (options) => new BlobStorageUnavailable(options),
  'upstream-error': (options) => new BlobStorageFailed(options),
});
