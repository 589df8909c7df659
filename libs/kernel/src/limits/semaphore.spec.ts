import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { CapacityUnavailable } from '../errors/common.errors';
import { type ReleasePermit, Semaphore } from './semaphore';

const WAIT_LIMIT_MS = 1_000;
const settled = () => new Promise(setImmediate);

describe('Semaphore', () => {
  let semaphore: Semaphore;
  /** Owners in the order in which they got a permit. */
  let granted: string[];

  beforeEach(() => {
    semaphore = new Semaphore({ permits: 3, permitsPerOwner: 2, queuePerOwner: 2, waitLimitMs: WAIT_LIMIT_MS });
    granted = [];
  });

  const acquire = async (owner: string, signal?: AbortSignal): Promise<ReleasePermit> => {
    const release = await semaphore.acquire({ owner, ...(signal && { signal }) });
    granted.push(owner);
    return release;
  };

  it('limits the permits of one owner and leaves the rest to others', async () => {
    const [release] = await Promise.all([acquire('a'), acquire('a')]);
    const third = acquire('a');
    await acquire('b');
    expect(granted).toEqual(['a', 'a', 'b']);
    release();
    await third;
    expect(granted).toEqual(['a', 'a', 'b', 'a']);
  });

  it('offers free permits to the waiting owners in turn', async () => {
    const releases = [await acquire('a'), await acquire('a'), await acquire('b')];
    const waiting = [acquire('a'), acquire('a'), acquire('c'), acquire('c'), acquire('b')];
    granted = [];
    for (const release of releases) release();
    for (const each of waiting) each.then((release) => release()).catch(() => undefined);
    await Promise.all(waiting);
    expect(granted).toEqual(['a', 'b', 'c', 'a', 'c']);
  });

  it('rejects a caller when the queue of its owner is full', async () => {
    const [release] = [await acquire('a'), await acquire('a')];
    const waiting = [acquire('a'), acquire('a')];
    await expect(acquire('a')).rejects.toBeInstanceOf(CapacityUnavailable);
    release();
    release();
    (await waiting[0])?.();
    await waiting[1];
    expect(granted).toHaveLength(4);
  });

  it('rejects a caller that waited too long and one whose request was aborted', async () => {
    jest.useFakeTimers();
    try {
      const releases = [await acquire('a'), await acquire('a')];
      const late = acquire('a');
      const aborting = new AbortController();
      const aborted = acquire('a', aborting.signal);
      const outcomes = Promise.allSettled([late, aborted]);
      aborting.abort(new Error('left'));
      jest.advanceTimersByTime(WAIT_LIMIT_MS);
      expect(await outcomes).toMatchObject([
        { reason: expect.any(CapacityUnavailable) },
        { reason: new Error('left') },
      ]);
      for (const release of releases) release();
      await Promise.all([acquire('b'), acquire('b'), acquire('c')]);
    } finally {
      jest.useRealTimers();
    }
  });

  it('rejects all waiting callers at once and keeps granted permits', async () => {
    const releases = [await acquire('a'), await acquire('a'), await acquire('b')];
    const outcomes = Promise.allSettled([acquire('a'), acquire('b'), acquire('c')]);
    const outage = new Error('outage');
    semaphore.rejectWaiting(outage);
    expect(await outcomes).toEqual(Array(3).fill({ status: 'rejected', reason: outage }));
    for (const release of releases) release();
    await Promise.all([acquire('a'), acquire('b'), acquire('c')]);
  });

  it('offers the permits of an owner with many callers to the others first', async () => {
    const releases = [await acquire('a'), await acquire('a'), await acquire('b')];
    const waiting = [acquire('a'), acquire('a'), acquire('b')];
    granted = [];
    releases[2]?.();
    releases[0]?.();
    await settled();
    expect(granted).toEqual(['b', 'a']);
    releases[1]?.();
    await Promise.all(waiting);
  });

  it('frees a permit once when it is released repeatedly', async () => {
    const release = await acquire('a');
    const second = await acquire('a');
    const waiting = [acquire('a'), acquire('a')];
    release();
    release();
    await waiting[0];
    await settled();
    expect(granted).toHaveLength(3);
    second();
    await waiting[1];
  });

  it('rejects a caller whose signal is already aborted and skips one that stopped waiting', async () => {
    const reason = new Error('left');
    await expect(acquire('a', AbortSignal.abort(reason))).rejects.toBe(reason);
    const release = await acquire('a');
    await acquire('a');
    const controller = new AbortController();
    const aborted = acquire('a', controller.signal);
    const next = acquire('a');
    controller.abort(reason);
    await expect(aborted).rejects.toBe(reason);
    release();
    await next;
  });

  it('lets any number of callers wait without a time limit when no limits are given', async () => {
    jest.useFakeTimers();
    try {
      semaphore = new Semaphore({ permits: 1, permitsPerOwner: 1 });
      const release = await acquire('a');
      const waiting = Array.from({ length: 1_000 }, () => acquire('a'));
      expect(jest.getTimerCount()).toBe(0);
      release();
      for (const each of waiting) (await each)();
      expect(granted).toHaveLength(1_001);
    } finally {
      jest.useRealTimers();
    }
  });

  it('rejects with the configured error', async () => {
    const busy = new Error('busy');
    semaphore = new Semaphore({ permits: 1, permitsPerOwner: 1, queuePerOwner: 0, rejection: () => busy });
    await acquire('a');
    await expect(acquire('a')).rejects.toBe(busy);
    semaphore = new Semaphore({ permits: 1, permitsPerOwner: 1, waitLimitMs: 0, rejection: () => busy });
    await acquire('a');
    await expect(acquire('a')).rejects.toBe(busy);
  });
});

describe('Semaphore without owners', () => {
  it('limits concurrency and runs work in the order of arrival', async () => {
    const semaphore = new Semaphore({ permits: 2 });
    const running: number[] = [];
    const finish: (() => void)[] = [];
    const runs = [0, 1, 2, 3].map((id) =>
      semaphore.run(() => {
        running.push(id);
        return new Promise<void>((end) => (finish[id] = end));
      }),
    );
    await settled();
    expect(running).toEqual([0, 1]);
    finish[1]?.();
    await settled();
    expect(running).toEqual([0, 1, 2]);
    finish[0]?.();
    await settled();
    finish[2]?.();
    finish[3]?.();
    await Promise.all(runs);
    expect(await semaphore.run(async () => 'free again')).toBe('free again');
  });

  it('runs high-priority work first', async () => {
    const semaphore = new Semaphore({ permits: 1 });
    const order: string[] = [];
    const enqueue = (name: string, isHighPriority: boolean) =>
      semaphore.run(async () => void order.push(name), { isHighPriority });
    await Promise.all([
      enqueue('first', false),
      enqueue('second', false),
      enqueue('urgent', true),
      enqueue('third', false),
    ]);
    expect(order).toEqual(['first', 'urgent', 'second', 'third']);
  });

  it('releases the permit when work fails', async () => {
    const semaphore = new Semaphore({ permits: 1 });
    await expect(semaphore.run(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    expect(await semaphore.run(async () => 1)).toBe(1);
  });

  it('rejects waiting work and does not affect running work', async () => {
    const semaphore = new Semaphore({ permits: 1 });
    let end: () => void = () => undefined;
    const running = semaphore.run(() => new Promise<void>((resolve) => (end = resolve)));
    const waiting = semaphore.run(async () => 'never');
    semaphore.rejectWaiting(new Error('closed'));
    await expect(waiting).rejects.toThrow('closed');
    end();
    await running;
    expect(await semaphore.run(async () => 'open')).toBe('open');
  });

  it('runs high-priority work of all owners first, within the share of each owner', async () => {
    const semaphore = new Semaphore({ permits: 2, permitsPerOwner: 1 });
    const order: string[] = [];
    const enqueue = (owner: string, isHighPriority = false) =>
      semaphore.run(
        async () => {
          await settled();
          order.push(`${owner}${isHighPriority ? '!' : ''}`);
        },
        { owner, isHighPriority },
      );
    await Promise.all([enqueue('a'), enqueue('b'), enqueue('a'), enqueue('c'), enqueue('b', true), enqueue('a', true)]);
    expect(order).toEqual(['a', 'b', 'a!', 'b!', 'c', 'a']);
  });
});
