import { describe, expect, it } from '@jest/globals';
import {
  BadRequestException,
  ForbiddenException,
  HttpException,
  ImATeapotException,
  InternalServerErrorException,
  NotFoundException,
  PayloadTooLargeException,
  ServiceUnavailableException,
  UnsupportedMediaTypeException,
} from '@nestjs/common';
import { DomainError, ERROR_KINDS, type ErrorKind } from './domain-error';
import {
  DatabaseUnavailable,
  InternalError,
  InvalidRequest,
  MethodNotAllowed,
  NoRoute,
  PayloadTooLarge,
  UnsupportedMediaType,
} from './platform.errors';
import { domainErrorOf, problemOf, statusOf } from './problem-of';

class SampleError extends DomainError {
  readonly code = 'sample.went-wrong';

  constructor(readonly kind: ErrorKind) {
    super('A sentence for people.', { cause: 'select * from secrets' });
  }
}

const STATUSES: Record<ErrorKind, number> = {
  invalid: 400,
  unauthenticated: 401,
  forbidden: 403,
  'not-found': 404,
  'method-not-allowed': 405,
  'request-timeout': 408,
  conflict: 409,
  'precondition-failed': 412,
  'too-large': 413,
  'unsupported-media-type': 415,
  'range-not-satisfiable': 416,
  'expectation-failed': 417,
  unprocessable: 422,
  'rate-limited': 429,
  'headers-too-large': 431,
  internal: 500,
  'upstream-error': 502,
  unavailable: 503,
  timeout: 504,
};

/** An error as a framework throws it: an `Error` with a status. */
function fastifyError(statusCode: unknown): Error {
  return Object.assign(new Error('FST_ERR: internal words'), { statusCode, code: 'FST_ERR' });
}

describe('problemOf', () => {
  it.each(ERROR_KINDS)('maps the kind %s to its status and a title', (kind) => {
    const problem = problemOf(new SampleError(kind), 'request-1');
    expect(problem).toStrictEqual({
      type: 'urn:homeport:problem:sample.went-wrong',
      title: expect.stringMatching(/^[A-Z][\w ]+$/),
      status: STATUSES[kind],
      detail: 'A sentence for people.',
      code: 'sample.went-wrong',
      request_id: 'request-1',
    });
    expect(statusOf(kind)).toBe(STATUSES[kind]);
  });

  it('gives every kind a different title', () => {
    const titles = ERROR_KINDS.map((kind) => problemOf(new SampleError(kind), '').title);
    expect(new Set(titles).size).toBe(ERROR_KINDS.length);
  });

  it('uses the title "Validation failed" only when invalid fields are listed', () => {
    const withField = new InvalidRequest('Sample.', [{ field: 'name', reason: 'is empty' }]);
    expect(problemOf(withField, 'request-1').title).toBe('Validation failed');
    expect(problemOf(new InvalidRequest('Sample.'), 'request-1').title).toBe('Bad request');
  });

  it('lists the invalid fields', () => {
    const fields = [{ field: 'name', reason: 'is empty' }];
    expect(problemOf(new InvalidRequest('No.', fields), 'request-1').errors).toEqual(fields);
    expect(problemOf(new InvalidRequest('No.'), 'request-1')).not.toHaveProperty('errors');
  });

  it('limits how much of the request the problem repeats', () => {
    const fields = Array.from({ length: 1_000 }, (_, index) => ({
      field: `${'😀'.repeat(1_000)}${index}`,
      reason: 'x'.repeat(2_000),
    }));
    const problem = problemOf(new InvalidRequest('d'.repeat(5_000), fields), 'request-1');
    expect(problem.errors).toHaveLength(50);
    expect(problem.errors?.map(({ field }) => field.length)).toEqual(Array(50).fill(100));
    expect(problem.errors?.every(({ field }) => field.isWellFormed())).toBe(true);
    expect(problem.detail).toMatch(/^d{999}… The first 50 of 1000 errors are listed\.$/);
    expect(JSON.stringify(problem).length).toBeLessThan(30_000);
  });

  it('keeps texts within the limits unchanged', () => {
    const fields = Array.from({ length: 50 }, () => ({ field: 'f'.repeat(100), reason: 'r'.repeat(300) }));
    expect(problemOf(new InvalidRequest('No.', fields), 'request-1')).toMatchObject({ detail: 'No.', errors: fields });
  });

  it('never exposes the cause', () => {
    expect(JSON.stringify(problemOf(new SampleError('internal'), ''))).not.toContain('select');
    const unavailable = new DatabaseUnavailable({ cause: new Error('password authentication failed for user "app"') });
    expect(JSON.stringify(problemOf(unavailable, ''))).not.toContain('password');
  });
});

describe('domainErrorOf', () => {
  it('returns domain errors unchanged', () => {
    const error = new SampleError('conflict');
    expect(domainErrorOf(error)).toBe(error);
  });

  it.each([
    [new NotFoundException('Cannot GET /secret'), NoRoute],
    [fastifyError(404), NoRoute],
    [new PayloadTooLargeException(), PayloadTooLarge],
    [fastifyError(413), PayloadTooLarge],
    [new UnsupportedMediaTypeException(), UnsupportedMediaType],
    [fastifyError(415), UnsupportedMediaType],
    [new BadRequestException(), InvalidRequest],
    [new ForbiddenException(), InvalidRequest],
    [new ImATeapotException(), InvalidRequest],
    [fastifyError(400), InvalidRequest],
    [fastifyError(499), InvalidRequest],
  ])('maps errors of the framework by their status (case %#)', (thrown, expected) => {
    const error = domainErrorOf(thrown);
    expect(error).toBeInstanceOf(expected);
    expect(JSON.stringify(problemOf(error, ''))).not.toMatch(/secret|internal words/);
  });

  it.each([
    new Error('connect ECONNREFUSED 10.0.0.7:5432'),
    new TypeError("Cannot read properties of undefined (reading 'bucket')"),
    new InternalServerErrorException('connect to 10.0.0.7'),
    new ServiceUnavailableException({ details: '10.0.0.7' }),
    new HttpException('10.0.0.7', 302),
    fastifyError(500),
    fastifyError(399),
    fastifyError('404'),
    fastifyError(undefined),
    { statusCode: 404 },
    'a string',
    undefined,
    null,
    0,
  ])('maps every other error to an internal error without details (case %#)', (thrown) => {
    const error = domainErrorOf(thrown);
    expect(error).toBeInstanceOf(InternalError);
    expect(error.cause).toBe(thrown);
    expect(problemOf(error, 'request-1')).toStrictEqual({
      type: 'urn:homeport:problem:platform.internal-error',
      title: 'Internal server error',
      status: 500,
      detail: 'Something went wrong on the server. Include the request ID when you report the problem.',
      code: 'platform.internal-error',
      request_id: 'request-1',
    });
  });
});

describe('platform errors', () => {
  it('use the name of their class', () => {
    expect(new NoRoute().name).toBe('NoRoute');
    expect(String(new SampleError('conflict'))).toBe('SampleError: A sentence for people.');
  });

  it('define the headers of their responses', () => {
    expect(new MethodNotAllowed(['GET', 'HEAD']).headers).toEqual({ allow: 'GET, HEAD' });
    expect(new DatabaseUnavailable().headers).toEqual({ 'retry-after': '5' });
    expect(new NoRoute().headers).toBeUndefined();
  });
});
