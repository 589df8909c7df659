import { describe, expect, it } from '@jest/globals';
import { recoveryDelayMs, REQUEST_LEASE_MS, retryDelayMs, sendDeadline, syncDelayMs } from './dns-record';

describe('delays for DNS records', () => {
  it('retry after at most 2 s first and 15 min later, half of it random', () => {
    expect([1, 2, 3].map((attempts) => retryDelayMs(attempts, 0))).toEqual([1_000, 2_000, 4_000]);
    expect([1, 2, 3].map((attempts) => retryDelayMs(attempts, 1))).toEqual([2_000, 4_000, 8_000]);
    for (const attempts of [10, 60, 2_000]) {
      expect([retryDelayMs(attempts, 0), retryDelayMs(attempts, 1)]).toEqual([450_000, 900_000]);
    }
  });

  it('check a change after 1 s first, and after 30 s at most', () => {
    expect([0, 1, 2, 5, 2_000].map(syncDelayMs)).toEqual([1_000, 2_000, 4_000, 30_000, 30_000]);
  });

  it('leave more time between the send deadline and the end of the lease than a call takes', () => {
    const LONGEST_CALL_MS = 3_500;
    expect(sendDeadline(0, REQUEST_LEASE_MS) + LONGEST_CALL_MS).toBeLessThan(REQUEST_LEASE_MS);
    expect(sendDeadline(1_000, REQUEST_LEASE_MS) - sendDeadline(0, REQUEST_LEASE_MS)).toBe(1_000);
  });

  it('schedule a recovery after the lease ends, or after the record is due', () => {
    expect([recoveryDelayMs(), recoveryDelayMs(undefined)]).toEqual([10_000, 10_000]);
    expect(recoveryDelayMs(60_000)).toBe(62_000);
  });
});
