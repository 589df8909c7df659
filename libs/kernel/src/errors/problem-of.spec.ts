import { describe, expect, it } from '@jest/globals';
import { DatabaseUnavailable, InvalidRequest, MethodNotAllowed, NoRoute } from './common.errors';
import { DomainError, ERROR_KINDS, type ErrorKind } from './domain-error';
import { problemOf, statusOf } from './problem-of';

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

describe('domain errors', () => {
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
