import { describe, expect, it } from '@jest/globals';
import { StorageUnavailable } from '../domain/files.errors';
import { MemoryBudget } from './memory-budget';

const never = new AbortController().signal;
const turns = async () => {
  for (let i = 0; i < 5; i += 1) await new Promise(setImmediate);
};

describe('MemoryBudget', () => {
  it('allocates everything except the reserve, and releases an allocation once', () => {
    const budget = new MemoryBudget(16);
    const release = budget.shareOf('a').tryAllocate(8);
    expect(budget.shareOf('b').tryAllocate(5)).toBeUndefined();
    expect(budget.shareOf('b').tryAllocate(4)).toBeDefined();
    expect(budget.freeBytes).toBe(4);
    release?.();
    release?.();
    expect(budget.freeBytes).toBe(12);
  });

  it('limits a user to half of the budget, except for one part', () => {
    const budget = new MemoryBudget(16);
    const [one, other, third] = [1, 2, 3].map(() => budget.shareOf('a').newAllocation());
    expect([one?.tryGrow(4), other?.tryGrow(4), other?.tryGrow(1)]).toEqual([true, true, true]);
    expect([one?.tryGrow(1), third?.tryGrow(1), budget.shareOf('a').tryAllocate(1)]).toEqual([false, false, undefined]);
    expect(budget.shareOf('b').newAllocation().tryGrow(3)).toBe(true);
    other?.release();
    expect(one?.tryGrow(1)).toBe(true);
  });

  it('allocates only what was requested', async () => {
    const budget = new MemoryBudget(16);
    const part = budget.shareOf('a').newAllocation();
    await part.grow(1, never);
    await part.grow(1, never);
    expect(budget.freeBytes).toBe(14);
    part.release();
    part.release();
    expect(budget.freeBytes).toBe(16);
  });

  it('reserves the last quarter for one part at a time, which can complete', async () => {
    const budget = new MemoryBudget(16);
    const parts = Array.from({ length: 6 }, (_, i) => budget.shareOf(`${i}`).newAllocation());
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

  it.each([1, 2, 9])('never deadlocks with many concurrent parts of %d users', async (users) => {
    const budget = new MemoryBudget(32);
    const upload = async (owner: number) => {
      const part = budget.shareOf(`${owner % users}`).newAllocation();
      for (let i = 0; i < 8; i += 1) {
        await part.grow(1, never);
        await new Promise(setImmediate);
      }
      part.release();
    };
    await Promise.all(Array.from({ length: 60 }, (_, i) => upload(i)));
    expect(budget.freeBytes).toBe(32);
  });

  it('removes a waiter whose signal aborts', async () => {
    const budget = new MemoryBudget(16);
    const [a, b, c] = ['a', 'b', 'c'].map((owner) => budget.shareOf(owner).newAllocation());
    await a?.grow(8, never);
    await b?.grow(8, never);
    const caller = new AbortController();
    const waiting = c?.grow(1, caller.signal);
    caller.abort(new Error('aborted'));
    await expect(waiting).rejects.toThrow('aborted');
    a?.release();
    b?.release();
    expect(budget.freeBytes).toBe(16);
  });

  it('rejects when the signal is already aborted', async () => {
    const budget = new MemoryBudget(16);
    const part = budget.shareOf('a').newAllocation();
    await expect(part.grow(1, AbortSignal.abort(new Error('aborted')))).rejects.toThrow('aborted');
    expect(budget.freeBytes).toBe(16);
  });

  it('rejects with StorageUnavailable when the wait is too long', async () => {
    const budget = new MemoryBudget(16, 1);
    for (const owner of ['a', 'b']) await budget.shareOf(owner).newAllocation().grow(8, never);
    await expect(budget.shareOf('c').newAllocation().grow(1, never)).rejects.toThrow(StorageUnavailable);
  });

  describe('while a part waits', () => {
    /** An upload that a test makes slow, and that releases its memory when it is aborted. */
    class ScriptedUpload {
      isSlow = false;
      reason: Error | undefined;
      release: () => void = () => undefined;
      #listener: () => void = () => undefined;

      onSlow(listener: () => void): void {
        this.#listener = listener;
      }

      abort(reason: Error): void {
        this.reason = reason;
        this.release();
      }

      becomeSlow(): void {
        this.isSlow = true;
        this.#listener();
      }
    }

    const holding = async (budget: MemoryBudget, owner: string, bytes: number) => {
      const sender = new ScriptedUpload();
      const part = budget.shareOf(owner, sender).newAllocation();
      await part.grow(bytes, never);
      sender.release = part.release;
      return sender;
    };

    it('aborts slow uploads and serves the part', async () => {
      const budget = new MemoryBudget(16);
      const [slow, fast] = [await holding(budget, 'a', 8), await holding(budget, 'b', 8)];
      slow.becomeSlow();
      expect(slow.reason).toBeUndefined();
      await budget.shareOf('c').newAllocation().grow(4, never);
      expect(slow.reason).toBeInstanceOf(StorageUnavailable);
      expect(slow.reason?.message).toContain('stopped this slow one');
      expect(fast.reason).toBeUndefined();
    });

    it('aborts an upload that becomes slow during the wait, and no other one', async () => {
      const budget = new MemoryBudget(16);
      const [one, other] = [await holding(budget, 'a', 8), await holding(budget, 'b', 8)];
      const waiting = budget.shareOf('c').newAllocation().grow(1, never);
      await turns();
      expect([one.reason, other.reason]).toEqual([undefined, undefined]);
      other.becomeSlow();
      await waiting;
      expect(one.reason).toBeUndefined();
    });

    it('starts with the user who holds the most memory, and stops when the part is served', async () => {
      const budget = new MemoryBudget(16);
      const few = await holding(budget, 'few', 4);
      const most = [
        await holding(budget, 'most', 4),
        await holding(budget, 'most', 4),
        await holding(budget, 'most', 4),
      ];
      for (const each of [few, ...most]) each.becomeSlow();
      await budget.shareOf('c').newAllocation().grow(4, never);
      expect(few.reason).toBeUndefined();
      expect(most.filter(({ reason }) => reason !== undefined).length).toBeLessThan(3);
    });

    it('serves other users when two users hold all memory with many connections', async () => {
      const budget = new MemoryBudget(32);
      const held = [];
      for (const owner of ['a', 'b']) {
        for (let i = 0; i < 3; i += 1) {
          const sender = new ScriptedUpload();
          const part = budget.shareOf(owner, sender).newAllocation();
          sender.release = part.release;
          for (let step = 0; step < 8 && part.tryGrow(1); step += 1);
          held.push(sender);
        }
      }
      expect(budget.freeBytes).toBe(0);
      const waiting = Array.from({ length: 4 }, (_, i) => budget.shareOf(`other ${i}`).newAllocation());
      const served = waiting.map((part) => part.grow(8, never).then(() => part.release()));
      for (const each of held) each.becomeSlow();
      await Promise.all(served);
    });
  });
});
