import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { DatabaseUnavailable } from '@homeport/kernel';
import { DeployInterrupted } from '../domain/deploys.errors';
import type { DeployRepository } from './deploy-repository.port';
import { DeployLease } from './deploy-lease';

describe('DeployLease', () => {
  const renew = jest.fn<(id: string) => Promise<void>>();
  const open = () => new DeployLease({ renew } as unknown as DeployRepository, 'an-id');

  beforeEach(() => {
    jest.useFakeTimers();
    renew.mockReset().mockResolvedValue(undefined);
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  it('is renewed every 8 s until it is stopped', async () => {
    const lease = open();
    await jest.advanceTimersByTimeAsync(29_999);
    expect(renew.mock.calls).toEqual([['an-id'], ['an-id'], ['an-id']]);
    lease.stop();
    await jest.advanceTimersByTimeAsync(60_000);
    expect(renew).toHaveBeenCalledTimes(3);
    expect(lease.signal.aborted).toBe(false);
  });

  it('tolerates an unavailable database', async () => {
    const lease = open();
    renew.mockRejectedValueOnce(new DatabaseUnavailable());
    await jest.advanceTimersByTimeAsync(16_000);
    expect([lease.signal.aborted, renew.mock.calls.length]).toEqual([false, 2]);
    lease.stop();
  });

  it('aborts when the lease was lost', async () => {
    const lease = open();
    const lost = new DeployInterrupted();
    renew.mockRejectedValue(lost);
    await jest.advanceTimersByTimeAsync(8_000);
    expect(lease.signal.reason).toBe(lost);
    lease.stop();
  });
});
