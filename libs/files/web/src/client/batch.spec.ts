// Outside a build, Angular's published code needs the compiler at run time.
import '@angular/compiler';
import { expect, it } from '@jest/globals';
import { HttpProblem } from '@homeport/platform/web';
import { Batch } from './batch';

const problem = new HttpProblem({ kind: 'refused', status: 500, title: 'No', detail: 'Not now.', code: 'x' });

it('runs all items within the concurrency limit', async () => {
  let running = 0;
  let most = 0;
  const batch = new Batch({
    items: Array.from({ length: 40 }, (_, index) => index),
    concurrency: 6,
    run: async () => {
      most = Math.max(most, (running += 1));
      await Promise.resolve();
      running -= 1;
    },
  });
  await batch.start();
  expect(batch.progress()).toEqual({ total: 40, done: 40, failures: [], state: 'ended' });
  expect(most).toBe(6);
});

it('continues after a failure, and retries failed items', async () => {
  let isDown = true;
  const batch = new Batch({
    items: ['a', 'b', 'c'],
    concurrency: 1,
    run: (item) => (item === 'b' && isDown ? Promise.reject(problem) : Promise.resolve()),
  });
  await batch.start();
  expect(batch.progress()).toMatchObject({ done: 2, failures: [{ item: 'b', problem }] });
  isDown = false;
  await batch.retry();
  expect(batch.progress()).toEqual({ total: 3, done: 3, failures: [], state: 'ended' });
});

it('does not continue a cancelled batch on retry', async () => {
  const started: number[] = [];
  const batch = new Batch({
    items: [1, 2, 3, 4],
    concurrency: 1,
    run: (item) => {
      started.push(item);
      if (item === 2) batch.cancel();
      return item === 1 ? Promise.reject(problem) : Promise.resolve();
    },
  });
  await batch.start();
  await batch.retry();
  expect(started).toEqual([1, 2]);
  expect(batch.progress()).toEqual({ total: 4, done: 1, failures: [{ item: 1, problem }], state: 'cancelled' });
});

it('retries once when retry is called twice', async () => {
  const started: string[] = [];
  const batch = new Batch({
    items: ['a', 'b'],
    concurrency: 1,
    run: (item) => (started.push(item) > 2 ? Promise.resolve() : Promise.reject(problem)),
  });
  await batch.start();
  await Promise.all([batch.retry(), batch.retry()]);
  expect(started).toEqual(['a', 'b', 'a', 'b']);
  expect(batch.progress()).toEqual({ total: 2, done: 2, failures: [], state: 'ended' });
});

it('counts an item that finishes after the batch was cancelled', async () => {
  const answer = Promise.withResolvers<undefined>();
  const batch = new Batch({ items: [1, 2], concurrency: 1, run: () => answer.promise });
  const run = batch.start();
  batch.cancel();
  answer.resolve(undefined);
  await run;
  expect(batch.progress()).toEqual({ total: 2, done: 1, failures: [], state: 'cancelled' });
});

it('starts no further items once it is cancelled', async () => {
  const started: number[] = [];
  const batch = new Batch({
    items: [1, 2, 3],
    concurrency: 1,
    run: (item) => {
      started.push(item);
      batch.cancel();
      return Promise.reject(problem);
    },
  });
  await batch.start();
  expect(started).toEqual([1]);
  expect(batch.progress()).toMatchObject({ done: 0, failures: [], state: 'cancelled' });
});
