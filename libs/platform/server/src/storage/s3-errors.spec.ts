import { NoSuchBucket, NotFound, S3ServiceException } from '@aws-sdk/client-s3';
import { describe, expect, it } from '@jest/globals';
import { isObjectNotFound, s3ErrorKind, statusIn } from './s3-errors';

const s3Error = (httpStatusCode: number, name = 'Refused') =>
  new S3ServiceException({ name, $fault: 'server', $metadata: { httpStatusCode } });
const options = { message: '', $metadata: { httpStatusCode: 404 } };

describe('S3 errors', () => {
  it('distinguishes a missing object from other errors', () => {
    expect(isObjectNotFound(new NotFound(options))).toBe(true);
    expect(isObjectNotFound(s3Error(404, 'NoSuchKey'))).toBe(true);
    expect(isObjectNotFound(new NoSuchBucket(options))).toBe(false);
    expect(isObjectNotFound(Object.assign(new Error(), { name: 'NoSuchKey' }))).toBe(false);
  });

  it.each([
    ['timeout', Object.assign(new Error(), { name: 'TimeoutError' })],
    ['timeout', s3Error(400, 'RequestTimeout')],
    ['unavailable', s3Error(503)],
    ['unavailable', s3Error(500)],
    ['unavailable', s3Error(429)],
    ['unavailable', s3Error(400, 'SlowDown')],
    ['unavailable', Object.assign(new Error(), { code: 'ECONNREFUSED' })],
    ['unavailable', 'thrown'],
    ['upstream-error', s3Error(403)],
    ['upstream-error', s3Error(404, 'NoSuchBucket')],
    ['upstream-error', Object.assign(new Error(), { code: 'HPE_INVALID_CONSTANT' })],
  ])('returns %s for %p', (kind, error) => {
    expect(s3ErrorKind(error)).toBe(kind);
  });

  it('returns the status of an S3 response', () => {
    expect(statusIn(s3Error(503))).toBe(503);
    expect(statusIn(new Error())).toBeUndefined();
  });
});
