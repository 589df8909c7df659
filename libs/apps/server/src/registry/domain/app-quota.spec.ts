import { describe, expect, it } from '@jest/globals';
import { AppQuota } from './app-quota';
import { AppQuotaExceeded } from './apps.errors';

describe('AppQuota', () => {
  it('allows apps up to the maximum', () => {
    const quota = new AppQuota(3);
    expect(() => quota.assertBelow(2)).not.toThrow();
    expect(() => quota.assertBelow(3)).toThrow(AppQuotaExceeded);
  });

  it('is near as soon as all concurrent registrations together could exceed it', () => {
    const quota = new AppQuota(1_000);
    expect([799, 800, 1_000].map((count) => quota.isNear(count))).toEqual([false, true, true]);
    expect(new AppQuota(3).isNear(0)).toBe(true);
  });
});
