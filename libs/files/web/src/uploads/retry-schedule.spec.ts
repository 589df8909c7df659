import { describe, expect, it } from '@jest/globals';
import { retryAfterMs, retryDelayMs } from './retry-schedule';

const unreachable = { kind: 'unreachable', status: 0 } as const;
const refused = (status: number) => ({ kind: 'refused', status }) as const;
const wait = (problem: Parameters<typeof retryDelayMs>[0]['problem'], attempts: number, after?: number) =>
  retryDelayMs({ problem, attempts, retryAfterMs: after }, 0);

describe('retryDelayMs', () => {
  it('doubles the delay after each attempt, up to a maximum number of attempts', () => {
    expect([1, 2, 3, 4, 5, 6].map((attempts) => wait(unreachable, attempts))).toEqual([
      500,
      1_000,
      2_000,
      4_000,
      8_000,
      undefined,
    ]);
  });

  it('adds a random delay', () => {
    expect(retryDelayMs({ problem: unreachable, attempts: 1, retryAfterMs: undefined }, 1)).toBe(750);
  });

  it('waits for the Retry-After of the server, without a limit of attempts for 429', () => {
    expect(wait(refused(429), 1, 20_000)).toBe(20_000);
    expect(wait(refused(429), 50, 20_000)).toBe(30_000);
    expect(wait(refused(503), 1, 3_000)).toBe(3_000);
  });

  it.each([400, 401, 404, 412, 413])('does not retry after %i', (status) => {
    expect(wait(refused(status), 1)).toBeUndefined();
  });
});

it.each([
  ['3', 3_000],
  ['Sat, 21 Nov 2026 00:00:05 GMT', 5_000],
  ['Sat, 21 Nov 2020 00:00:00 GMT', 0],
  ['soon', undefined],
  ['', undefined],
  [null, undefined],
])('Retry-After %s is %s', (header, ms) => {
  expect(retryAfterMs(header, Date.parse('2026-11-21T00:00:00Z'))).toBe(ms);
});
