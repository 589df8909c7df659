import { connect } from 'node:net';
import { once } from 'node:events';
import { S3ServiceException } from '@aws-sdk/client-s3';
import { describe, expect, it } from '@jest/globals';
import { QueryFailedError } from 'typeorm';
import { DatabaseUnavailable, DomainError } from '@homeport/kernel';
import { causeCodeOf, causesOf, CodedFailure } from './failure-cause';

class Late extends DomainError {
  readonly kind = 'timeout';
  readonly code = 'sample.late';
}

const coded = (code: string, cause?: unknown) => Object.assign(new Error('text', { cause }), { code });
const s3 = (name: string, status: number) =>
  new S3ServiceException({ name, $fault: 'client', $metadata: { httpStatusCode: status } });

describe('causeCodeOf', () => {
  it.each([
    ['of a socket', new TypeError('fetch failed', { cause: coded('ECONNREFUSED') }), 'ECONNREFUSED'],
    ['of TLS', new DatabaseUnavailable({ cause: coded('SELF_SIGNED_CERT_IN_CHAIN') }), 'SELF_SIGNED_CERT_IN_CHAIN'],
    ['of PostgreSQL', new QueryFailedError('select 1', [], coded('28P01')), '28P01'],
    ['of PostgreSQL without a code', new Error('Query read timeout'), 'timeout'],
    [
      'of a connection that took too long',
      new Error('Connection terminated due to connection timeout', { cause: new Error('Connection terminated') }),
      'timeout',
    ],
    ['of PostgreSQL without TLS', new Error('The server does not support SSL connections'), 'tls-unsupported'],
    ['of S3', s3('AccessDenied', 403), 'AccessDenied'],
    ['of S3 in a response without a body', s3('Unknown', 403), 'HTTP_403'],
    ['of the name server', new CodedFailure('BADKEY', 'text'), 'BADKEY'],
    ['the innermost', coded('OUTER', coded('INNER')), 'INNER'],
    ['of OAuth', Object.assign(coded('OAUTH_RESPONSE_BODY_ERROR'), { error: 'invalid_client' }), 'invalid_client'],
    [
      'of an OAuth challenge',
      Object.assign(coded('OAUTH_WWW_AUTHENTICATE_CHALLENGE'), { status: 401 }),
      'invalid_client',
    ],
    ['of several addresses', new AggregateError([coded('EHOSTUNREACH')]), 'EHOSTUNREACH'],
    ['of a time limit', new Late('late', { cause: AbortSignal.abort().reason }), 'timeout'],
    ['of a domain error', new DatabaseUnavailable(), 'platform.database-unavailable'],
    ['of a defect', new TypeError('x is undefined'), 'TypeError'],
    ['of a value that is not an error', 'text', 'string'],
    ['of an error with an invalid code', coded('has spaces and a secret'), 'Error'],
  ])('returns the code %s', (_what, error, code) => {
    expect(causeCodeOf(error)).toBe(code);
  });

  it('returns the code of a real socket error and of a real timeout', async () => {
    const [error] = (await once(connect(1, '127.0.0.1'), 'error')) as [Error];
    expect(causeCodeOf(error)).toBe('ECONNREFUSED');
    const limit = AbortSignal.timeout(0);
    await once(limit, 'abort');
    expect(causeCodeOf(limit.reason)).toBe('timeout');
  });

  it('follows a circular chain of causes only once', () => {
    const error = new Error('a');
    error.cause = new Error('b', { cause: error });
    expect(causesOf(error)).toHaveLength(2);
  });
});
