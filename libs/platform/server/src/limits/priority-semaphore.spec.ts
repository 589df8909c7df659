import { describe, expect, it } from '@jest/globals';
import { PrioritySemaphore } from './priority-semaphore';

const settled = () => new Promise(setImmediate);

describe('PrioritySemaphore', () => {
  it('limits concurrency and runs work in the order of arrival', async () => {
    const semaphore = new PrioritySemaphore(2);
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
    const semaphore = new PrioritySemaphore(1);
    const order: string[] = [];
    const enqueue = (name: string, isHighPriority: boolean) =>
      semaphore.run(async () => void order.push(name), isHighPriority);
    await Promise.all([
      enqueue('first', false),
      enqueue('second', false),
      enqueue('urgent', true),
      enqueue('third', false),
    ]);
    expect(order).toEqual(['first', 'urgent', 'second', 'third']);
  });

  it('releases the permit when work fails', async () => {
    const semaphore = new PrioritySemaphore(1);
    await expect(semaphore.run(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    expect(await semaphore.run(async () => 1)).toBe(1);
  });

  it('rejects waiting work and does not affect running work', async () => {
    const semaphore = new PrioritySemaphore(1);
    let end: () => void = () => undefined;
    const running = semaphore.run(() => new Promise<void>((resolve) => (end = resolve)));
    const waiting = semaphore.run(async () => 'never');
    semaphore.rejectWaiting(new Error('closed'));
    await expect(waiting).rejects.toThrow('closed');
    end();
    await running;
    expect(await semaphore.run(async () => 'open')).toBe('open');
  });
});
