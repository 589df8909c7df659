import { describe, expect, it } from '@jest/globals';
import { retriesWithNotice } from './retries';

describe('retriesWithNotice', () => {
  const notes: string[] = [];
  const slept: number[] = [];
  const { maxWaitMs, wait } = retriesWithNotice({ note: (text) => notes.push(text) }, async (ms) => {
    slept.push(ms);
  });

  it('waits until the limit of a minute starts anew', () => expect(maxWaitMs).toBeGreaterThan(60_000));

  it('says once that several requests wait', async () => {
    await Promise.all([wait(41_200), wait(41_100), wait(500)]);
    expect(notes).toEqual(['The server limits requests: continuing in 42 s.']);
    await wait(60_000);
    expect([notes.length, slept]).toEqual([2, [41_200, 41_100, 500, 60_000]]);
  });
});
