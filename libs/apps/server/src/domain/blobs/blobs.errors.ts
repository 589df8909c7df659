import { DomainError } from '@homeport/platform/server';

/** Object storage does not answer, or says "not now". */
export class BlobStorageUnavailable extends DomainError {
  readonly kind = 'unavailable';
  readonly code = 'apps.storage-unavailable';
  override readonly headers = { 'retry-after': '5' };

  constructor(options?: ErrorOptions) {
    super('The storage of deploys does not answer right now. Try again in a few seconds.', options);
  }
}

/** Object storage gave an answer that makes no sense, or refused our credentials. */
export class BlobStorageFailed extends DomainError {
  readonly kind = 'upstream-error';
  readonly code = 'apps.storage-error';

  constructor(options?: ErrorOptions) {
    super('The storage of deploys gave an unexpected answer.', options);
  }
}

/** The bytes that object storage sent are not those that were stored. */
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

/** Whether it is object storage that is at fault. */
export function isStorageFailure(error: unknown): error is DomainError {
  return [BlobStorageUnavailable, BlobStorageFailed, BlobStorageTimeout].some((kind) => error instanceof kind);
}
