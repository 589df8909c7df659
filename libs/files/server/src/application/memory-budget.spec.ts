import { describe, expect, it } from '@jest/globals';
import { MemoryBudget } from './memory-budget';

const never = new AbortController().signal;

describe('MemoryBudget', () => {
  it('gives what there is and no more', () => {
    const budget = new MemoryBudget(10);
    const release = budget.tryTake(6);
    expect(budget.tryTake(5)).toBeUndefined();
    expect(budget.tryTake(4)).toBeDefined();
    release?.();
    release?.();
    expect(budget.tryTake(7)).toBeUndefined();
    expect(budget.tryTake(6)).toBeDefined();
  });

  it('serves those who wait in their order, and nobody overtakes them', async () => {
    const budget = new MemoryBudget(10);
    const release = await budget.take(10, never);
    const served: string[] = [];
    const first = budget.take(8, never).then((done) => (served.push('first'), done));
    const second = budget.take(2, never).then((done) => (served.push('second'), done));
    const third = budget.take(10, never).then(() => served.push('third'));
    release();
    expect(budget.tryTake(1)).toBeUndefined();
    (await first)();
    (await second)();
    await third;
    expect(served).toEqual(['first', 'second', 'third']);
  });

  it('forgets who stops waiting, and lets the next one pass', async () => {
    const budget = new MemoryBudget(10);
    const release = await budget.take(6, never);
    const leaving = new AbortController();
    const tooMuch = budget.take(8, leaving.signal);
    const fits = budget.take(4, never);
    leaving.abort(new Error('left'));
    await expect(tooMuch).rejects.toThrow('left');
    await fits;
    release();
    expect(budget.tryTake(6)).toBeDefined();
    await expect(budget.take(1, AbortSignal.abort(new Error('gone')))).rejects.toThrow('gone');
  });

  it('refuses what can never be given', () => {
    expect(() => new MemoryBudget(10).take(11, never)).toThrow(RangeError);
  });
});
