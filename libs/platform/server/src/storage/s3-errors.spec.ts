import { NoSuchBucket, NotFound, S3ServiceException } from '@aws-sdk/client-s3';
import { describe, expect, it } from '@jest/globals';
import { causeCodeOf } from '../observability/failure-cause';
import {
  isBrokenConnection,
  isObjectNotFound,
  isPreconditionFailure,
  S3ResponseError,
  s3FailureKind,
  statusIn,
} from './s3-errors';

const s3Error = (httpStatusCode: number, name = 'Refused') =>
  new S3ServiceException({ name, $fault: 'server', $metadata: { httpStatusCode } });
const failureWith = (facts: { name?: string; code?: string }) => Object.assign(new Error(), facts);
const options = { message: '', $metadata: { httpStatusCode: 404 } };

describe('S3 errors', () => {
  it('distinguishes a missing object from other errors', () => {
    expect(isObjectNotFound(new NotFound(options))).toBe(true);
    expect(isObjectNotFound(s3Error(404, 'NoSuchKey'))).toBe(true);
    expect(isObjectNotFound(new NoSuchBucket(options))).toBe(false);
    expect(isObjectNotFound(failureWith({ name: 'NoSuchKey' }))).toBe(false);
  });

  it.each([
    ['timeout', failureWith({ name: 'TimeoutError' })],
    ['timeout', failureWith({ name: 'TimeoutError', code: 'ETIMEDOUT' })],
    ['timeout', failureWith({ code: 'UND_ERR_HEADERS_TIMEOUT' })],
    ['timeout', failureWith({ code: 'UND_ERR_BODY_TIMEOUT' })],
    ['timeout', s3Error(400, 'RequestTimeout')],
    ['timeout', new S3ResponseError(400, 'RequestTimeout')],
    ['unavailable', s3Error(503)],
    ['unavailable', s3Error(500)],
    ['unavailable', s3Error(429)],
    ['unavailable', s3Error(400, 'SlowDown')],
    ['unavailable', new S3ResponseError(503, undefined)],
    ['unavailable', new S3ResponseError(503, 'SlowDown')],
    ['unavailable', failureWith({ code: 'ECONNREFUSED' })],
    ['unavailable', failureWith({ code: 'UND_ERR_CONNECT_TIMEOUT' })],
    ['unavailable', failureWith({ name: 'TimeoutError', code: 'ECONNRESET' })],
    ['unavailable', 'thrown'],
    ['upstream-error', s3Error(403)],
    ['upstream-error', s3Error(404, 'NoSuchBucket')],
    ['upstream-error', new S3ResponseError(403, 'AccessDenied')],
    ['upstream-error', new S3ResponseError(412, undefined)],
    ['upstream-error', failureWith({ code: 'HPE_INVALID_CONSTANT' })],
    ['digest-mismatch', s3Error(400, 'BadDigest')],
    ['digest-mismatch', s3Error(400, 'XAmzContentSHA256Mismatch')],
    ['digest-mismatch', new S3ResponseError(400, 'InvalidDigest')],
  ])('returns %s for %p', (kind, error) => {
    expect(s3FailureKind(error)).toBe(kind);
  });

  it('recognizes failed conditions and broken connections', () => {
    const conditions = [s3Error(412), new S3ResponseError(412, undefined), s3Error(409, 'ConditionalRequestConflict')];
    expect(conditions.map(isPreconditionFailure)).toEqual([true, true, true]);
    expect(isPreconditionFailure(s3Error(409))).toBe(false);
    const connections = ['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE', 'ECONNREFUSED'].map((code) => failureWith({ code }));
    expect(connections.map(isBrokenConnection)).toEqual([true, true, true, false]);
  });

  it('returns the status of an S3 response', () => {
    expect([statusIn(s3Error(503)), statusIn(new S3ResponseError(404, 'NoSuchKey'))]).toEqual([503, 404]);
    expect(statusIn(new Error())).toBeUndefined();
  });

  it('names the cause of an error response', () => {
    expect(causeCodeOf(new S3ResponseError(403, 'AccessDenied'))).toBe('AccessDenied');
    expect(causeCodeOf(new S3ResponseError(403, undefined))).toBe('HTTP_403');
  });
});
