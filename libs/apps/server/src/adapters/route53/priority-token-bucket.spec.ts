import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { PriorityTokenBucket } from './priority-token-bucket';

const never = new AbortController().signal;

describe('Pace', () => {
  const taken: string[] = [];
  let pace: PriorityTokenBucket;
  const come = (name: string, isUrgent = true, signal = never) =>
    pace.acquire(isUrgent, signal).then(
      () => void taken.push(name),
      (reason: unknown) => void taken.push(`${name}: ${String(reason)}`),
    );
  const pass = (ms: number) => jest.advanceTimersByTimeAsync(ms);

  beforeEach(() => {
    jest.useFakeTimers();
    taken.length = 0;
    pace = new PriorityTokenBucket({ perSecond: 4, burst: 2 });
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  it('lets some in at once, and the others one after the other', async () => {
    for (const name of ['a', 'b', 'c', 'd']) void come(name);
    await pass(0);
    expect(taken).toEqual(['a', 'b']);
    await pass(249);
    expect(taken).toEqual(['a', 'b']);
    await pass(1);
    expect(taken).toEqual(['a', 'b', 'c']);
    await pass(250);
    expect(taken).toEqual(['a', 'b', 'c', 'd']);
  });

  it('never has more than it can hold, however long it rests', async () => {
    await pass(60_000);
    for (const name of ['a', 'b', 'c']) void come(name);
    await pass(0);
    expect(taken).toEqual(['a', 'b']);
  });

  it('lets the urgent ones pass, in their order', async () => {
    for (const name of ['a', 'b', 'patient', 'patient too']) void come(name, false);
    void come('urgent');
    void come('urgent too');
    await pass(1_000);
    expect(taken).toEqual(['a', 'b', 'urgent', 'urgent too', 'patient', 'patient too']);
  });

  it('loses nothing by those who leave', async () => {
    const leaving = new AbortController();
    for (const name of ['a', 'b']) void come(name);
    void come('leaves', true, leaving.signal);
    void come('stays');
    leaving.abort('too long');
    await pass(250);
    expect(taken).toEqual(['a', 'b', 'leaves: too long', 'stays']);
    await come('came too late', true, leaving.signal);
    expect(taken.at(-1)).toBe('came too late: too long');
  });

  it('begins anew when others have used up what there was', async () => {
    pace.drain();
    void come('a');
    await pass(249);
    expect(taken).toEqual([]);
    await pass(1);
    expect(taken).toEqual(['a']);
  });
});
