import { DomainError } from '@homeport/kernel';

/** Object storage does not respond or is overloaded. */
export class BlobStorageUnavailable extends DomainError {
  readonly kind = 'unavailable';
  readonly code = 'apps.storage-unavailable';
  override readonly headers = { 'retry-after': '5' };

  constructor(options?: ErrorOptions) {
    super('Deploys cannot be read or saved right now. Try again in a few seconds.', options);
  }
}

/** Object storage sent an unexpected response, or rejected the credentials. */
export class BlobStorageFailed extends DomainError {
  readonly kind = 'upstream-error';
  readonly code = 'apps.storage-error';

  constructor(options?: ErrorOptions) {
    super('The deploy could not be read or saved. If it fails again, report it with the request ID.', options);
  }
}

/** Object storage returned bytes that differ from the stored ones. */
export class BlobCorrupt extends BlobStorageFailed {
  constructor(options: ErrorOptions = { cause: new Error('The bytes have another SHA-256 than the stored ones.') }) {
    super(options);
  }
}

export class BlobStorageTimeout extends DomainError {
  readonly kind = 'timeout';
  readonly code = 'apps.storage-timeout';

  constructor(options?: ErrorOptions) {
    super('Reading or saving the deploy took too long. Try again in a few seconds.', options);
  }
}

/** Whether object storage caused an error. */
export function isStorageFailure(error: unknown): error is DomainError {
  return [BlobStorageUnavailable, BlobStorageFailed, BlobStorageTimeout].some((kind) => error instanceof kind);
}
