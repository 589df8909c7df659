import type { FilePathFault } from '@homeport/files/contracts';
import { DomainError } from '@homeport/platform/server';

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
    super('The cursor is not one that this listing gave out.');
  }
}

/** The bytes that arrived are not the bytes the digest was made of. Nothing was stored. */
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

  constructor() {
    super('There is no file at this path.');
  }
}

/** The file is not in the state the caller's condition names; `etag` is the one it has now, when known. */
export class PreconditionFailed extends DomainError {
  readonly kind = 'precondition-failed';
  readonly code = 'files.precondition-failed';
  override readonly headers: Readonly<Record<string, string>>;

  constructor(readonly etag?: string) {
    super('The file has changed, or is not there as expected. Read it again before writing.');
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

/** Object storage does not answer, or says "not now". Reads and conditional writes can be repeated. */
export class StorageUnavailable extends DomainError {
  readonly kind = 'unavailable';
  readonly code = 'files.storage-unavailable';
  override readonly headers = { 'retry-after': '5' };

  constructor(options?: ErrorOptions, detail = 'File storage does not answer right now. Try again in a few seconds.') {
    super(detail, options);
  }
}

/** Object storage gave an answer that makes no sense, or refused our credentials. */
export class StorageFailed extends DomainError {
  readonly kind = 'upstream-error';
  readonly code = 'files.storage-error';

  constructor(options?: ErrorOptions) {
    super('File storage gave an unexpected answer.', options);
  }
}

export class StorageTimeout extends DomainError {
  readonly kind = 'timeout';
  readonly code = 'files.storage-timeout';

  constructor(options?: ErrorOptions) {
    super('File storage took too long to answer.', options);
  }
}

/** The storage breaks a promise that files depend on. Not for callers: an operator has to choose another one. */
export class StorageIncompatible extends Error {
  override readonly name = 'StorageIncompatible';
}
