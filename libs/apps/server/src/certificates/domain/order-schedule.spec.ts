import { describe, expect, it } from '@jest/globals';
import { paceDelay } from './order-pace';
import { blockedDelay, directoryAfter, retryDelay, stateAfterFailure, stateWhileOrdering } from './order-schedule';
import { fallbackRenewal, renewalIn } from './renewal-time';

const NOW = new Date('2026-11-24T12:00:00Z');
const ago = (ms: number) => new Date(NOW.getTime() - ms);
const HOUR_MS = 3_600_000;

describe('paceDelay', () => {
  it('allows one order a second', () => {
    expect(paceDelay([], NOW)).toBe(0);
    expect(paceDelay([ago(400)], NOW)).toBe(600);
    expect(paceDelay([ago(5_000), ago(1_000)], NOW)).toBe(0);
  });

  it('allows 250 orders in 3 hours', () => {
    const starts = Array.from({ length: 250 }, (_, i) => ago(HOUR_MS + i * 1_000));
    expect(paceDelay(starts.slice(1), NOW)).toBe(0);
    expect(paceDelay(starts, NOW)).toBe(2 * HOUR_MS - 249_000);
    expect(paceDelay([...starts, ago(4 * HOUR_MS)], NOW)).toBe(2 * HOUR_MS - 249_000);
  });
});

describe('the schedule of an order', () => {
  it('uses the second directory after 3 failures, and returns to the first', () => {
    const used = [0, 2, 3, 5, 6].map((failures) => directoryAfter(['one', 'two'], failures));
    expect(used).toEqual(['one', 'one', 'two', 'two', 'one']);
    expect(directoryAfter(['one'], 4)).toBe('one');
  });

  it('retries after 1 minute to 12 hours, and never before the authority allows it', () => {
    expect([1, 2, 3, 99].map((failures) => retryDelay(failures, 0.5))).toEqual([
      60_000,
      120_000,
      240_000,
      12 * HOUR_MS,
    ]);
    expect(retryDelay(1, 0)).toBe(45_000);
    expect(retryDelay(1, 0.5, HOUR_MS)).toBe(HOUR_MS);
  });

  it('looks at wrong records after 15 seconds to 1 hour', () => {
    expect([0, HOUR_MS, 99 * HOUR_MS].map(blockedDelay)).toEqual([15_000, HOUR_MS / 10, HOUR_MS]);
  });
});

describe('the state of a certificate', () => {
  it('is ordering without a valid certificate, and renewing with one', () => {
    expect([false, true].map(stateWhileOrdering)).toEqual(['ordering', 'renewing']);
  });

  it.each([
    ['ordering', 'rejected', 1, false, 'failed'],
    ['none', 'challenge-failed', 1, false, 'failed'],
    ['ordering', 'unavailable', 1, false, 'ordering'],
    ['ordering', 'unavailable', 3, false, 'failed'],
    ['ordering', 'lost', 1, false, 'ordering'],
    ['renewing', 'rejected', 5, true, 'renewing'],
    ['active', 'unavailable', 1, true, 'active'],
    ['renewing', 'rejected', 1, false, 'failed'],
  ] as const)('after %s, %s (%i failures, valid: %s) is %s', (...row) => {
    const [current, problem, failures, hasValidCertificate, next] = row;
    expect(stateAfterFailure(current, problem, { failures, hasValidCertificate })).toBe(next);
  });
});

describe('the time of a renewal', () => {
  it('is at two thirds of the lifetime, or in the window of the authority', () => {
    expect(fallbackRenewal(NOW, new Date(NOW.getTime() + 90 * HOUR_MS))).toEqual(ago(-60 * HOUR_MS));
    const window = { start: NOW, end: ago(-HOUR_MS) };
    expect([0, 0.5].map((random) => renewalIn(window, random))).toEqual([NOW, ago(-HOUR_MS / 2)]);
  });
});
