import { describe, expect, it } from '@jest/globals';
import { asHttpProblem, HttpProblem, problemFrom } from './http-problem';

const problem = {
  type: 'about:blank',
  title: 'Not found',
  status: 404,
  detail: 'There is no such file.',
  code: 'files.not-found',
  request_id: 'r-1',
};

describe('problemFrom', () => {
  it('keeps the problem of the API', () => {
    const found = problemFrom({ status: 404, body: JSON.stringify(problem), requestId: null, online: true });
    expect(found).toBeInstanceOf(HttpProblem);
    expect(found).toMatchObject({
      kind: 'refused',
      status: 404,
      code: 'files.not-found',
      requestId: 'r-1',
      errors: [],
    });
  });

  it.each([
    [0, true, 'unreachable'],
    [0, false, 'offline'],
    [504, true, 'unreachable'],
    [504, false, 'offline'],
    [502, true, 'unexpected'],
    [200, true, 'unexpected'],
  ] as const)('reads status %i without a body, online %s, as %s', (status, online, kind) => {
    expect(problemFrom({ status, body: '', requestId: null, online }).kind).toBe(kind);
  });

  it.each([
    [429, 'There were too many requests. Wait a little and try again.'],
    [500, 'The server cannot do this right now. Try again in a moment.'],
    [503, 'The server cannot do this right now. Try again in a moment.'],
    [418, 'The server sent an unexpected response (status 418).'],
  ])('explains status %i without Problem Details', (status, detail) => {
    const found = problemFrom({ status, body: '<html></html>', requestId: null, online: true });
    expect(found).toMatchObject({ status, detail });
  });

  it('uses the Problem Details of a 504', () => {
    const body = JSON.stringify({ ...problem, status: 504, code: 'files.store-timeout' });
    expect(problemFrom({ status: 504, body, requestId: null, online: false }).kind).toBe('refused');
  });

  it.each(['<html></html>', '[]', 'null', '{"title":"x"}'])('does not mistake %s for Problem Details', (body) => {
    const found = problemFrom({ status: 500, body, requestId: 'r-2', online: true });
    expect(found).toMatchObject({ kind: 'unexpected', requestId: 'r-2' });
  });
});

describe('asHttpProblem', () => {
  it('wraps any other error', () => {
    expect(asHttpProblem(new TypeError('x')).code).toBe('client.unexpected');
  });
});
