import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { WorkPool } from './work-pool';

describe('WorkPool', () => {
  it('limits concurrent work', async () => {
    const pool = new WorkPool(3);
    let [running, most, done] = [0, 0, 0];
    for (let i = 0; i < 20; i += 1) {
      await pool.start(async () => {
        most = Math.max(most, (running += 1));
        await setImmediate();
        running -= 1;
        done += 1;
      });
    }
    await pool.end();
    expect([most, done, running]).toEqual([3, 20, 0]);
  });

  it('starts nothing after a failure, and rejects with the first one', async () => {
    const pool = new WorkPool(2);
    const [first, second] = [new Error('first'), new Error('second')];
    await Promise.all([first, second].map((error) => pool.start(() => Promise.reject(error))));
    let isStarted = false;
    await expect(
      pool.start(async () => {
        isStarted = true;
      }),
    ).rejects.toBe(first);
    await expect(pool.end()).rejects.toBe(first);
    expect(isStarted).toBe(false);
  });

  it('waits for all running work before it rejects', async () => {
    const pool = new WorkPool(2);
    const other = Promise.withResolvers<undefined>();
    let isDone = false;
    await pool.start(async () => {
      await other.promise;
      isDone = true;
    });
    await pool.start(() => Promise.reject(new Error('failed')));
    const end = pool.end();
    other.resolve(undefined);
    await expect(end).rejects.toThrow('failed');
    expect(isDone).toBe(true);
  });
});
