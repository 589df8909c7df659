import { describe, expect, it } from '@jest/globals';
import { StorageUnavailable } from '../domain/files.errors';
import { MemoryBudget } from './memory-budget';

const never = new AbortController().signal;
const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('MemoryBudget', () => {
  it('gives what there is and no more', () => {
    const budget = new MemoryBudget(10);
    const release = budget.shareOf('a').tryTake(6);
    expect(budget.shareOf('b').tryTake(5)).toBeUndefined();
    expect(budget.shareOf('b').tryTake(4)).toBeDefined();
    release?.();
    release?.();
    expect(budget.shareOf('c').tryTake(7)).toBeUndefined();
    expect(budget.shareOf('c').tryTake(6)).toBeDefined();
  });

  it('serves those who wait in their order, and nobody overtakes them', async () => {
    const budget = new MemoryBudget(10);
    const release = await budget.shareOf('a').take(10, never);
    const served: string[] = [];
    const first = budget.shareOf('b').take(8, never);
    const second = budget.shareOf('c').take(2, never);
    const third = budget.shareOf('d').take(10, never);
    void first.then(() => served.push('first'));
    void second.then(() => served.push('second'));
    void third.then(() => served.push('third'));
    release();
    expect(budget.shareOf('e').tryTake(1)).toBeUndefined();
    (await first)();
    (await second)();
    await third;
    expect(served).toEqual(['first', 'second', 'third']);
  });

  it('gives whoever holds some no more than half of it, and lets others pass', async () => {
    const budget = new MemoryBudget(10);
    const slow = budget.shareOf('slow');
    const release = await slow.take(3, never);
    await slow.take(2, never);
    expect(slow.tryTake(1)).toBeUndefined();
    let isServed = false;
    const more = slow.take(1, never).then(() => (isServed = true));
    expect(budget.shareOf('other').tryTake(3)).toBeDefined();
    const large = await budget.shareOf('third').take(2, never);
    await settled();
    expect(isServed).toBe(false);
    release();
    await more;
    large();
  });

  it('forgets who stops waiting, and lets the next one pass', async () => {
    const budget = new MemoryBudget(10);
    const release = await budget.shareOf('a').take(6, never);
    const leaving = new AbortController();
    const tooMuch = budget.shareOf('b').take(8, leaving.signal);
    const fits = budget.shareOf('c').take(4, never);
    leaving.abort(new Error('left'));
    await expect(tooMuch).rejects.toThrow('left');
    await fits;
    release();
    expect(budget.shareOf('d').tryTake(6)).toBeDefined();
  });

  it('gives nothing to whoever has left already', async () => {
    const budget = new MemoryBudget(10);
    await expect(budget.shareOf('a').take(1, AbortSignal.abort(new Error('gone')))).rejects.toThrow('gone');
    expect(budget.shareOf('a').tryTake(10)).toBeDefined();
  });

  it('says that it is busy when the wait gets too long', async () => {
    const budget = new MemoryBudget(10, 1);
    await budget.shareOf('a').take(10, never);
    await expect(budget.shareOf('b').take(1, never)).rejects.toThrow(StorageUnavailable);
  });

  it('refuses what can never be given', () => {
    expect(() => new MemoryBudget(10).shareOf('a').take(11, never)).toThrow(RangeError);
  });
});
