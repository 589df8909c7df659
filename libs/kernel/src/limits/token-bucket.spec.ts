import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { type AcquireTokenOptions, TokenBucket } from './token-bucket';

describe('TokenBucket', () => {
  const taken: string[] = [];
  let bucket: TokenBucket;
  const acquire = (name: string, options?: AcquireTokenOptions) =>
    bucket.acquire(options).then(
      () => void taken.push(name),
      (reason: unknown) => void taken.push(`${name}: ${String(reason)}`),
    );
  const pass = (ms: number) => jest.advanceTimersByTimeAsync(ms);

  beforeEach(() => {
    jest.useFakeTimers();
    taken.length = 0;
    bucket = new TokenBucket({ perSecond: 4, burst: 2 });
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  it('serves a burst at once, and then one caller per interval', async () => {
    for (const name of ['a', 'b', 'c', 'd']) void acquire(name);
    await pass(0);
    expect(taken).toEqual(['a', 'b']);
    await pass(249);
    expect(taken).toEqual(['a', 'b']);
    await pass(1);
    expect(taken).toEqual(['a', 'b', 'c']);
    await pass(250);
    expect(taken).toEqual(['a', 'b', 'c', 'd']);
  });

  it('accumulates no more tokens than the burst', async () => {
    await pass(60_000);
    for (const name of ['a', 'b', 'c']) void acquire(name);
    await pass(0);
    expect(taken).toEqual(['a', 'b']);
  });

  it('serves high-priority callers first, in order', async () => {
    for (const name of ['a', 'b', 'background', 'background too']) void acquire(name);
    void acquire('urgent', { isHighPriority: true });
    void acquire('urgent too', { isHighPriority: true });
    await pass(1_000);
    expect(taken).toEqual(['a', 'b', 'urgent', 'urgent too', 'background', 'background too']);
  });

  it('loses no token when a caller aborts', async () => {
    const controller = new AbortController();
    const { signal } = controller;
    for (const name of ['a', 'b']) void acquire(name);
    void acquire('aborts', { signal });
    void acquire('waits');
    controller.abort('too long');
    await pass(250);
    expect(taken).toEqual(['a', 'b', 'aborts: too long', 'waits']);
    await acquire('late', { signal });
    expect(taken.at(-1)).toBe('late: too long');
  });

  it('takes a token without waiting, if one is available and no caller waits', async () => {
    expect([bucket.tryAcquire(), bucket.tryAcquire(), bucket.tryAcquire()]).toEqual([true, true, false]);
    void acquire('a');
    await pass(249);
    expect(bucket.tryAcquire()).toBe(false);
    await pass(300);
    expect([taken, bucket.tryAcquire()]).toEqual([['a'], true]);
  });

  it('starts from zero after it was drained', async () => {
    bucket.drain();
    void acquire('a');
    await pass(249);
    expect(taken).toEqual([]);
    await pass(1);
    expect(taken).toEqual(['a']);
  });
});
