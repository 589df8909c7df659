import { describe, expect, it } from '@jest/globals';
import { PrioritySemaphore } from './priority-semaphore';

const settled = () => new Promise(setImmediate);

describe('PrioritySemaphore', () => {
  it('lets so many in at a time, first come, first served', async () => {
    const semaphore = new PrioritySemaphore(2);
    const inside: number[] = [];
    const ends: (() => void)[] = [];
    const visits = [0, 1, 2, 3].map((visitor) =>
      semaphore.run(() => {
        inside.push(visitor);
        return new Promise<void>((end) => (ends[visitor] = end));
      }),
    );
    await settled();
    expect(inside).toEqual([0, 1]);
    ends[1]?.();
    await settled();
    expect(inside).toEqual([0, 1, 2]);
    ends[0]?.();
    await settled();
    ends[2]?.();
    ends[3]?.();
    await Promise.all(visits);
    expect(await semaphore.run(async () => 'free again')).toBe('free again');
  });

  it('lets whoever is in a hurry go ahead', async () => {
    const semaphore = new PrioritySemaphore(1);
    const order: string[] = [];
    const visit = (name: string, isHighPriority: boolean) =>
      semaphore.run(async () => void order.push(name), isHighPriority);
    await Promise.all([visit('first', false), visit('second', false), visit('hurried', true), visit('third', false)]);
    expect(order).toEqual(['first', 'hurried', 'second', 'third']);
  });

  it('goes on after work that fails', async () => {
    const semaphore = new PrioritySemaphore(1);
    await expect(semaphore.run(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    expect(await semaphore.run(async () => 1)).toBe(1);
  });

  it('sends away whoever waits, and nobody who is inside', async () => {
    const semaphore = new PrioritySemaphore(1);
    let end: () => void = () => undefined;
    const inside = semaphore.run(() => new Promise<void>((resolve) => (end = resolve)));
    const waiting = semaphore.run(async () => 'never');
    semaphore.rejectWaiting(new Error('closed'));
    await expect(waiting).rejects.toThrow('closed');
    end();
    await inside;
    expect(await semaphore.run(async () => 'open')).toBe('open');
  });
});
