import { beforeEach, describe, expect, it } from '@jest/globals';
import { FairQueue } from './fair-queue';

const { signal } = new AbortController();
let queue: FairQueue;
let started: string[];

beforeEach(() => {
  queue = new FairQueue(3, 2);
  started = [];
});

function acquire(owner: string, name: string, by = signal): Promise<() => void> {
  const turn = queue.acquire(owner, by);
  turn.then(
    () => started.push(name),
    () => undefined,
  );
  return turn;
}
const settle = () => new Promise(setImmediate);

describe('FairQueue', () => {
  it('runs what it may at once, and not all of it for one owner', async () => {
    for (const name of ['a1', 'a2', 'a3']) void acquire('a', name);
    void acquire('b', 'b1');
    void acquire('c', 'c1');
    await settle();
    expect(started).toEqual(['a1', 'a2', 'b1']);
  });

  it('takes turns among owners', async () => {
    const first = await Promise.all([acquire('a', 'a1'), acquire('a', 'a2'), acquire('b', 'b1')]);
    const rest = ['a3', 'a4', 'a5'].map((name) => acquire('a', name));
    const others = [acquire('b', 'b2'), acquire('c', 'c1')];
    for (const end of first) end();
    await settle();
    expect(started.slice(3)).toEqual(['a3', 'b2', 'c1']);
    for (const turn of [rest[0]!, ...others]) (await turn)();
    await settle();
    expect(started.slice(6)).toEqual(['a4', 'a5']);
  });

  it('forgets who stops waiting', async () => {
    const ends = await Promise.all([acquire('a', 'a1'), acquire('a', 'a2')]);
    const leaving = new AbortController();
    const left = acquire('a', 'a3', leaving.signal);
    const reason = new Error('the client left');
    leaving.abort(reason);
    await expect(left).rejects.toBe(reason);
    void acquire('a', 'a4');
    ends[0]!();
    await settle();
    expect(started).toEqual(['a1', 'a2', 'a4']);
    await expect(queue.acquire('b', AbortSignal.abort(reason))).rejects.toBe(reason);
  });

  it('ends a turn once', async () => {
    const end = await acquire('a', 'a1');
    await acquire('a', 'a2');
    void acquire('a', 'a3');
    void acquire('a', 'a4');
    end();
    end();
    await settle();
    expect(started).toEqual(['a1', 'a2', 'a3']);
  });
});
