import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createDatabase, migrate } from '../database/create-database';
import type { Database } from '../database/database';
import { type FreshDatabase, freshDatabase, recordOutages } from '../testing';
import { JobQueue } from './job-queue';

/** No minute passes in a test: what is called here is called by hand. */
const YEARLY = '0 0 1 1 *';

let fresh: FreshDatabase;
let database: Database;
const queues: JobQueue[] = [];

function instance(jobs = recordOutages('background-jobs')): JobQueue {
  const outages = { database: recordOutages('postgres').outages, jobs: jobs.outages };
  const queue = new JobQueue({ database: database.source, outages });
  queues.push(queue);
  return queue;
}

/** A job that tells a test when it is done. */
function countedJob(name: string, run: () => Promise<void> = async () => undefined) {
  const calls: (() => void)[] = [];
  const next = () => new Promise<void>((resolve) => calls.push(resolve));
  const job = { name, cron: YEARLY, run: () => run().finally(() => calls.shift()?.()) };
  return { job, next };
}

beforeAll(async () => {
  fresh = await freshDatabase();
  const options = { url: fresh.url, poolSize: 5, entities: [], migrations: [] };
  // Two instances start at once: what the queue keeps is made once.
  await Promise.all([migrate(options), migrate(options)]);
  database = await createDatabase(options).open();
});

afterAll(async () => {
  await Promise.all(queues.map((queue) => queue.stop()));
  await database.close();
  await fresh.drop();
});

describe('JobQueue', () => {
  it('does a job that is called for', async () => {
    const queue = instance();
    const { job, next } = countedJob('test.called');
    await queue.register(job);
    const done = next();
    await queue.enqueue('test.called', 0);
    await done;
  });

  it('does what another instance calls for', async () => {
    const [caller, worker] = [instance(), instance()];
    const { job, next } = countedJob('test.shared');
    await caller.register({ ...job, run: () => new Promise(() => undefined) });
    await worker.register(job);
    const done = next();
    // Whoever is busy for ever takes one call; the other instance gets to the next.
    for (let seconds = 0; seconds < 3; seconds += 1) await caller.enqueue('test.shared', seconds);
    await done;
  });

  it('goes on after a job that failed, and says so', async () => {
    const recorded = recordOutages('background-jobs');
    const queue = instance(recorded);
    let runs = 0;
    const { job, next } = countedJob('test.failing', async () => {
      runs += 1;
      if (runs === 1) throw new Error('broken');
    });
    await queue.register(job);
    for (let i = 0; i < 2; i += 1) {
      const done = next();
      await queue.enqueue('test.failing', i);
      await done;
    }
    // The line is written after the job has said that it is done.
    while (recorded.lines.length < 2) await new Promise(setImmediate);
    expect(runs).toBe(2);
    expect(recorded.lines).toMatchObject([
      { msg: 'dependency failed', operation: 'test.failing', cause: 'Error', err: { message: 'broken' } },
      { msg: 'dependency recovered', operation: 'test.failing' },
    ]);
  });

  it('calls once for many calls of one second', async () => {
    const queue = instance();
    const { job } = countedJob('test.crowded');
    await queue.register(job);
    await Promise.all(Array.from({ length: 50 }, () => queue.enqueue('test.crowded', 3_600)));
    const [{ count }] = await database.source.query<[{ count: string }]>(
      `select count(*) from pgboss.job where name = 'test.crowded'`,
    );
    expect(Number(count)).toBeLessThan(5);
  });

  it('calls when the time has come, and by the clock in any case', async () => {
    const queue = instance();
    const { job } = countedJob('test.timed');
    await queue.register(job);
    await queue.enqueue('test.timed', 3_600);
    expect(
      await database.source.query(
        `select job.start_after - now() between '59 minutes' and '61 minutes' as is_in_time, schedule.cron
         from pgboss.job join pgboss.schedule using (name) where name = 'test.timed'`,
      ),
    ).toEqual([{ is_in_time: true, cron: YEARLY }]);
  });

  it('calls anew after a call that could not be kept', async () => {
    const queue = instance();
    const { job } = countedJob('test.lost');
    await queue.register(job);
    await database.source.query('alter table pgboss.queue rename to away');
    await expect(queue.enqueue('test.lost', 3_600)).rejects.toThrow();
    await database.source.query('alter table pgboss.away rename to queue');
    await queue.enqueue('test.lost', 3_600);
  });

  it('calls for nothing before the job is taken', async () => {
    await instance().enqueue('test.unknown', 0);
    expect(await database.source.query(`select 1 from pgboss.job where name = 'test.unknown'`)).toEqual([]);
  });
});
