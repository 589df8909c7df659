import { describe, expect, it } from '@jest/globals';
import { StorageUnavailable } from '../domain/files.errors';
import { MemoryBudget } from './memory-budget';

const never = new AbortController().signal;
const turns = async () => {
  for (let i = 0; i < 5; i += 1) await new Promise(setImmediate);
};

describe('MemoryBudget', () => {
  it('gives a body what there is beside the reserve, and takes it back once', () => {
    const budget = new MemoryBudget(16);
    const release = budget.shareOf('a').tryTake(8);
    expect(budget.shareOf('b').tryTake(5)).toBeUndefined();
    expect(budget.shareOf('b').tryTake(4)).toBeDefined();
    expect(budget.freeBytes).toBe(4);
    release?.();
    release?.();
    expect(budget.freeBytes).toBe(12);
  });

  it('gives one person half, and one part of theirs more', () => {
    const budget = new MemoryBudget(16);
    const [one, other, third] = [1, 2, 3].map(() => budget.shareOf('a').begin());
    expect([one?.tryGrow(4), other?.tryGrow(4), other?.tryGrow(1)]).toEqual([true, true, true]);
    expect([one?.tryGrow(1), third?.tryGrow(1), budget.shareOf('a').tryTake(1)]).toEqual([false, false, undefined]);
    expect(budget.shareOf('b').begin().tryGrow(3)).toBe(true);
    other?.release();
    expect(one?.tryGrow(1)).toBe(true);
  });

  it('occupies what has come, and no more', async () => {
    const budget = new MemoryBudget(16);
    const part = budget.shareOf('a').begin();
    await part.grow(1, never);
    await part.grow(1, never);
    expect(budget.freeBytes).toBe(14);
    part.release();
    part.release();
    expect(budget.freeBytes).toBe(16);
  });

  it('keeps the reserve for one part at a time, which comes to its end', async () => {
    const budget = new MemoryBudget(16);
    const parts = Array.from({ length: 6 }, (_, i) => budget.shareOf(`${i}`).begin());
    for (const part of parts) await part.grow(2, never);
    const [first, second] = parts as [(typeof parts)[0], (typeof parts)[0]];
    await first.grow(1, never);
    let isServed = false;
    const waiting = second.grow(1, never).then(() => (isServed = true));
    await first.grow(1, never);
    await turns();
    expect(isServed).toBe(false);
    first.release();
    await waiting;
    expect(isServed).toBe(true);
  });

  it.each([1, 2, 9])('never comes to a standstill, however many parts of %d people come at once', async (people) => {
    const budget = new MemoryBudget(32);
    const upload = async (owner: number) => {
      const part = budget.shareOf(`${owner % people}`).begin();
      for (let i = 0; i < 8; i += 1) {
        await part.grow(1, never);
        await new Promise(setImmediate);
      }
      part.release();
    };
    await Promise.all(Array.from({ length: 60 }, (_, i) => upload(i)));
    expect(budget.freeBytes).toBe(32);
  });

  it('forgets who stops waiting', async () => {
    const budget = new MemoryBudget(16);
    const [a, b, c] = ['a', 'b', 'c'].map((owner) => budget.shareOf(owner).begin());
    await a?.grow(8, never);
    await b?.grow(8, never);
    const leaving = new AbortController();
    const waiting = c?.grow(1, leaving.signal);
    leaving.abort(new Error('left'));
    await expect(waiting).rejects.toThrow('left');
    a?.release();
    b?.release();
    expect(budget.freeBytes).toBe(16);
  });

  it('gives nothing to whoever has left already', async () => {
    const budget = new MemoryBudget(16);
    const part = budget.shareOf('a').begin();
    await expect(part.grow(1, AbortSignal.abort(new Error('gone')))).rejects.toThrow('gone');
    expect(budget.freeBytes).toBe(16);
  });

  it('says that it is busy when the wait gets too long', async () => {
    const budget = new MemoryBudget(16, 1);
    for (const owner of ['a', 'b']) await budget.shareOf(owner).begin().grow(8, never);
    await expect(budget.shareOf('c').begin().grow(1, never)).rejects.toThrow(StorageUnavailable);
  });
});
