import type { FilePathFault } from '@homeport/files/contracts';
import { DomainError } from '@homeport/kernel';

export const TOO_LONG_FOR_STORAGE = 'The path is too long for the storage behind this service.';

export class FilePathRejected extends DomainError {
  readonly kind = 'invalid';
  readonly code = 'files.invalid-path';

  constructor(fault: FilePathFault | typeof TOO_LONG_FOR_STORAGE) {
    super(fault);
  }
}

export class CursorRejected extends DomainError {
  readonly kind = 'invalid';
  readonly code = 'files.invalid-cursor';

  constructor() {
    super('The cursor does not belong to this listing. Start again without a cursor.');
  }
}

/** A digest is malformed or does not match the bytes that arrived. Nothing was stored. */
export class DigestMismatch extends DomainError {
  readonly kind = 'invalid';
  readonly code = 'files.digest-mismatch';

  constructor() {
    super('The digest does not match the bytes that arrived. Nothing was stored.');
  }
}

export class FileMissing extends DomainError {
  readonly kind = 'not-found';
  readonly code = 'files.not-found';

  constructor(detail = 'There is no file at this path.') {
    super(detail);
  }
}

/** A token that is limited to one folder wrote to another path. Every such path gets the same response. */
export class PathOutsideToken extends DomainError {
  readonly kind = 'forbidden';
  readonly code = 'identity.scope-required';

  constructor() {
    super('The token is limited to one folder, and this path is outside of it.');
  }
}

/** The link of an archive is too long for a URL. */
export class ArchiveLinkTooLong extends DomainError {
  readonly kind = 'invalid';
  readonly code = 'files.archive-link-too-long';

  constructor() {
    super(
      'The names of these paths are too long for one download link. Send fewer paths, or the path of their folder.',
    );
  }
}

/** The ticket of an archive was altered, or its download did not start in time. */
export class ArchiveLinkExpired extends DomainError {
  readonly kind = 'not-found';
  readonly code = 'files.archive-link-expired';

  constructor() {
    super('This download link is invalid or has expired. Request a new one.');
  }
}

/** Ends the connection of an archive that is being sent, so the caller never receives this error. */
export class ArchiveTooLarge extends Error {
  override readonly name = 'ArchiveTooLarge';
}

/** The file does not meet the caller's condition. `etag` is its current tag, if known. */
export class PreconditionFailed extends DomainError {
  readonly kind = 'precondition-failed';
  readonly code = 'files.precondition-failed';
  override readonly headers: Readonly<Record<string, string>>;

  constructor(readonly etag?: string) {
    super('The file has changed, was deleted or already exists. Read it again before writing.');
    this.headers = etag === undefined ? {} : { etag };
  }
}

export class FileTooLarge extends DomainError {
  readonly kind = 'too-large';
  readonly code = 'files.too-large';

  constructor(maxBytes: number) {
    super(`A file may have at most ${sizeOf(maxBytes)}.`);
  }
}

function sizeOf(bytes: number): string {
  const mebibytes = bytes / 1024 ** 2;
  const count = (value: number): string => value.toLocaleString('en-US');
  return Number.isInteger(mebibytes) ? `${count(mebibytes)} MiB` : `${count(bytes)} bytes`;
}

export class RangeNotSatisfiable extends DomainError {
  readonly kind = 'range-not-satisfiable';
  readonly code = 'files.range-not-satisfiable';
  override readonly headers: Readonly<Record<string, string>>;

  constructor(size: number) {
    super('The requested range lies outside the file.');
    this.headers = { 'content-range': `bytes */${size}` };
  }
}

/** Object storage does not respond or is overloaded. Reads and conditional writes can be retried. */
export class StorageUnavailable extends DomainError {
  readonly kind = 'unavailable';
  readonly code = 'files.storage-unavailable';
  override readonly headers = { 'retry-after': '5' };

  constructor(options?: ErrorOptions, detail = 'Files cannot be read or saved right now. Try again in a few seconds.') {
    super(detail, options);
  }
}

/** Object storage sent an invalid response or rejected the credentials. */
export class StorageFailed extends DomainError {
  readonly kind = 'upstream-error';
  readonly code = 'files.storage-error';

  constructor(options?: ErrorOptions) {
    super('The file could not be read or saved. If it fails again, report it with the request ID.', options);
  }
}

export class StorageTimeout extends DomainError {
  readonly kind = 'timeout';
  readonly code = 'files.storage-timeout';

  constructor(options?: ErrorOptions) {
    super('Reading or saving the file took too long. Try again in a few seconds.', options);
  }
}

/** Storage lacks a required feature. Never sent to callers: the operator has to choose another storage. */
export class StorageIncompatible extends Error {
  override readonly name = 'StorageIncompatible';
}
