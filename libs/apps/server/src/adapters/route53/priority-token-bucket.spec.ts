import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { PriorityTokenBucket } from './priority-token-bucket';

const never = new AbortController().signal;

describe('PriorityTokenBucket', () => {
  const taken: string[] = [];
  let bucket: PriorityTokenBucket;
  const acquire = (name: string, isUrgent = true, signal = never) =>
    bucket.acquire(isUrgent, signal).then(
      () => void taken.push(name),
      (reason: unknown) => void taken.push(`${name}: ${String(reason)}`),
    );
  const pass = (ms: number) => jest.advanceTimersByTimeAsync(ms);

  beforeEach(() => {
    jest.useFakeTimers();
    taken.length = 0;
    bucket = new PriorityTokenBucket({ perSecond: 4, burst: 2 });
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

  it('serves urgent callers first, in order', async () => {
    for (const name of ['a', 'b', 'background', 'background too']) void acquire(name, false);
    void acquire('urgent');
    void acquire('urgent too');
    await pass(1_000);
    expect(taken).toEqual(['a', 'b', 'urgent', 'urgent too', 'background', 'background too']);
  });

  it('loses no token when a caller aborts', async () => {
    const leaving = new AbortController();
    for (const name of ['a', 'b']) void acquire(name);
    void acquire('leaves', true, leaving.signal);
    void acquire('stays');
    leaving.abort('too long');
    await pass(250);
    expect(taken).toEqual(['a', 'b', 'leaves: too long', 'stays']);
    await acquire('came too late', true, leaving.signal);
    expect(taken.at(-1)).toBe('came too late: too long');
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
