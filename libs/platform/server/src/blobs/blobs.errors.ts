import { DomainError } from '@homeport/kernel';

/** Object storage does not respond or is overloaded. */
export class BlobStorageUnavailable extends DomainError {
  readonly kind = 'unavailable';
  readonly code = 'apps.storage-unavailable';
  override readonly headers = { 'retry-after': '5' };

  constructor(options?: ErrorOptions) {
    super('The storage of deploys does not answer right now. Try again in a few seconds.', options);
  }
}

/** Object storage sent an unexpected response, or rejected the credentials. */
export class BlobStorageFailed extends DomainError {
  readonly kind = 'upstream-error';
  readonly code = 'apps.storage-error';

  constructor(options?: ErrorOptions) {
    super('The storage of deploys gave an unexpected answer.', options);
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
    super('The storage of deploys took too long to answer.', options);
  }
}

/** Whether object storage caused an error. */
export function isStorageFailure(error: unknown): error is DomainError {
  return [BlobStorageUnavailable, BlobStorageFailed, BlobStorageTimeout].some((kind) => error instanceof kind);
}
