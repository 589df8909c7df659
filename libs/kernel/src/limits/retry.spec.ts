import { describe, expect, it } from '@jest/globals';
import { backoffMs, retry } from './retry';

const failure = (attempt: number) => new Error(`failure ${attempt}`);

describe('retry', () => {
  /** Fails in all attempts before the given one. */
  const succeedingAt = (attempt: number) => {
    let attempts = 0;
    return async () => {
      attempts += 1;
      if (attempts < attempt) throw failure(attempts);
      return attempts;
    };
  };

  it('repeats work until it succeeds', async () => {
    expect(await retry(succeedingAt(1), { attempts: 1 })).toBe(1);
    expect(await retry(succeedingAt(3), { attempts: 3 })).toBe(3);
  });

  it('rejects with the error of the last attempt', async () => {
    await expect(retry(succeedingAt(4), { attempts: 3 })).rejects.toThrow('failure 3');
  });

  it('rejects at once with an error that cannot be retried', async () => {
    const isRetryable = (error: unknown) => (error as Error).message !== 'failure 2';
    await expect(retry(succeedingAt(4), { attempts: 9, isRetryable })).rejects.toThrow('failure 2');
  });

  it('waits between attempts, and not after the last one', async () => {
    const waits: number[] = [];
    const options = {
      attempts: 4,
      delayMs: (failures: number) => 100 * failures,
      wait: async (ms: number) => void waits.push(ms),
    };
    await expect(retry(succeedingAt(9), options)).rejects.toThrow('failure 4');
    expect(waits).toEqual([100, 200, 300]);
    const aborted = { ...options, wait: () => Promise.reject(new Error('aborted')) };
    await expect(retry(succeedingAt(9), aborted)).rejects.toThrow('aborted');
  });

  it('uses a timer by default', async () => {
    expect(await retry(succeedingAt(2), { attempts: 2, delayMs: () => 1 })).toBe(2);
  });
});

describe('backoffMs', () => {
  it('grows with each failure, up to the maximum', () => {
    const delays = (factor?: number) =>
      [1, 2, 3, 4, 1_000].map((failures) =>
        backoffMs(failures, { firstMs: 100, maxMs: 500, ...(factor === undefined ? {} : { factor }) }),
      );
    expect(delays()).toEqual([100, 200, 400, 500, 500]);
    expect(delays(1.5)).toEqual([100, 150, 225, 337.5, 500]);
  });
});
