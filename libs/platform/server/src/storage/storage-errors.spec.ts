import { describe, expect, it } from '@jest/globals';
import { DomainError } from '@homeport/kernel';
import { S3ResponseError } from './s3-errors';
import { createStorageErrors } from './storage-errors';

class StorageError extends DomainError {
  readonly kind = 'unavailable';

  constructor(
    readonly code: string,
    options?: ErrorOptions,
  ) {
    super('Storage failed.', options);
  }
}

const create = (code: string) => (options?: ErrorOptions) => new StorageError(code, options);
const errors = createStorageErrors({
  'digest-mismatch': create('digest'),
  timeout: create('timeout'),
  unavailable: create('unavailable'),
  'upstream-error': create('failed'),
});

describe('createStorageErrors', () => {
  it.each([
    [new S3ResponseError(400, 'BadDigest'), 'digest'],
    [new S3ResponseError(400, 'RequestTimeout'), 'timeout'],
    [new S3ResponseError(503, undefined), 'unavailable'],
    [new S3ResponseError(403, 'AccessDenied'), 'failed'],
  ])('maps %p to %s, with the failure as its cause', (failure, code) => {
    expect(errors.translate(failure)).toMatchObject({ code, cause: failure });
  });

  it('returns errors of domains unchanged', () => {
    const error = new StorageError('known');
    expect(errors.translate(error)).toBe(error);
  });

  it('creates the error for a response that contradicts the request', () => {
    expect(errors.invalidResponse('another range')).toMatchObject({
      code: 'failed',
      cause: { message: 'another range' },
    });
  });

  it('creates the timeout error of the domain', async () => {
    expect(errors.timeout()).toMatchObject({ code: 'timeout' });
    const never = (signal: AbortSignal) =>
      new Promise<never>((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('aborted'))));
    await expect(errors.withTimeout(never, undefined, 1)).rejects.toMatchObject({ code: 'timeout' });
  });
});
