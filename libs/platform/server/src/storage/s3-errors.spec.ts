import { NoSuchBucket, NotFound, S3ServiceException } from '@aws-sdk/client-s3';
import { describe, expect, it } from '@jest/globals';
import { isObjectNotFound, s3ErrorKind, statusIn } from './s3-errors';

const answered = (httpStatusCode: number, name = 'Refused') =>
  new S3ServiceException({ name, $fault: 'server', $metadata: { httpStatusCode } });
const facts = { message: '', $metadata: { httpStatusCode: 404 } };

describe('failures of S3', () => {
  it('knows the absence of an object from every other one', () => {
    expect(isObjectNotFound(new NotFound(facts))).toBe(true);
    expect(isObjectNotFound(answered(404, 'NoSuchKey'))).toBe(true);
    expect(isObjectNotFound(new NoSuchBucket(facts))).toBe(false);
    expect(isObjectNotFound(Object.assign(new Error(), { name: 'NoSuchKey' }))).toBe(false);
  });

  it.each([
    ['timeout', Object.assign(new Error(), { name: 'TimeoutError' })],
    ['timeout', answered(400, 'RequestTimeout')],
    ['unavailable', answered(503)],
    ['unavailable', answered(500)],
    ['unavailable', answered(429)],
    ['unavailable', answered(400, 'SlowDown')],
    ['unavailable', Object.assign(new Error(), { code: 'ECONNREFUSED' })],
    ['unavailable', 'thrown'],
    ['upstream-error', answered(403)],
    ['upstream-error', answered(404, 'NoSuchBucket')],
    ['upstream-error', Object.assign(new Error(), { code: 'HPE_INVALID_CONSTANT' })],
  ])('says %s of %p', (kind, error) => {
    expect(s3ErrorKind(error)).toBe(kind);
  });

  it('has a status where S3 answered', () => {
    expect(statusIn(answered(503))).toBe(503);
    expect(statusIn(new Error())).toBeUndefined();
  });
});
