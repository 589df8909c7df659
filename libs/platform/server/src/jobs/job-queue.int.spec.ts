import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { createDatabase, migrate } from '../database/create-database';
import type { Database } from '../database/database';
import { type FreshDatabase, freshDatabase } from '../testing/embedded-services';
import { recordOutages } from '../testing/record-outages';
import { JobQueue } from './job-queue';

/** A schedule that does not fire during a test. */
const YEARLY = '0 0 1 1 *';

let fresh: FreshDatabase;
let database: Database;
const queues: JobQueue[] = [];

function instance(
  jobs = recordOutages('background-jobs'),
  { source, postgres = recordOutages('postgres') }: { source?: DataSource; postgres?: typeof jobs } = {},
): JobQueue {
  const outages = { database: postgres.outages, jobs: jobs.outages };
  const queue = new JobQueue({ database: source ?? database.source, outages });
  queues.push(queue);
  return queue;
}

/** Creates a job and a function that waits for its next run. */
function observableJob(name: string, run: () => Promise<void> = async () => undefined) {
  const calls: (() => void)[] = [];
  const next = () => new Promise<void>((resolve) => calls.push(resolve));
  const job = { name, cron: YEARLY, run: () => run().finally(() => calls.shift()?.()) };
  return { job, next };
}

beforeAll(async () => {
  fresh = await freshDatabase();
  const options = { url: fresh.url, poolSize: 5, entities: [], migrations: [] };
  // Two instances start at once: the schema of the queue is created once.
  await Promise.all([migrate(options), migrate(options)]);
  database = await createDatabase(options).open();
});

afterAll(async () => {
  await Promise.all(queues.map((queue) => queue.stop()));
  await database.close();
  await fresh.drop();
});

describe('JobQueue', () => {
  it('runs an enqueued job', async () => {
    const queue = instance();
    const { job, next } = observableJob('test.called');
    await queue.register(job);
    const done = next();
    await queue.enqueue('test.called', 0);
    await done;
  });

  it('stores an enqueued run while running jobs use all other connections', async () => {
    const busy = await createDatabase({ url: fresh.url, poolSize: 1, entities: [], migrations: [] }).open();
    const queue = new JobQueue({ database: busy.source, enqueuing: database });
    await queue.register(observableJob('test.busy').job);
    // pg-boss reads a queue once, on the connections of jobs.
    await queue.enqueue('test.busy', 1_800);
    const used = busy.source.createQueryRunner();
    await used.connect();
    await queue.enqueue('test.busy', 3_600);
    const stored = "select count(*)::int from pgboss.job where name = 'test.busy'";
    expect(await database.run((manager) => manager.query(stored))).toEqual([{ count: 2 }]);
    await used.release();
    await queue.stop();
    await busy.close();
  });

  it('runs a job that another instance enqueued', async () => {
    const [caller, worker] = [instance(), instance()];
    const { job, next } = observableJob('test.shared');
    await caller.register({ ...job, run: () => new Promise(() => undefined) });
    await worker.register(job);
    const done = next();
    // The first instance stays busy with one run; the other one takes the next.
    for (let seconds = 0; seconds < 3; seconds += 1) await caller.enqueue('test.shared', seconds);
    await done;
  });

  it('continues after a failed run and logs the failure', async () => {
    const recorded = recordOutages('background-jobs');
    const queue = instance(recorded);
    let runs = 0;
    const { job, next } = observableJob('test.failing', async () => {
      runs += 1;
      if (runs === 1) throw new Error('broken');
    });
    await queue.register(job);
    for (let i = 0; i < 2; i += 1) {
      const done = next();
      await queue.enqueue('test.failing', i);
      await done;
    }
    // The queue logs the outcome after the job has settled.
    while (recorded.lines.length < 2) await new Promise(setImmediate);
    expect(runs).toBe(2);
    expect(recorded.lines).toMatchObject([
      { msg: 'dependency failed', operation: 'test.failing', cause: 'Error', err: { message: 'broken' } },
      { msg: 'dependency recovered', operation: 'test.failing' },
    ]);
  });

  it('logs a failed poll as an outage of the database, and its end', async () => {
    const [jobs, postgres] = [recordOutages('background-jobs'), recordOutages('postgres')];
    const { master } = database.source.driver as unknown as {
      master: { query(...query: unknown[]): Promise<unknown> };
    };
    let isHanging = false;
    const query = async (...args: unknown[]) => {
      if (isHanging) throw new Error('Query read timeout');
      return master.query(...args);
    };
    const source = { driver: { master: { query } } } as unknown as DataSource;
    await instance(jobs, { source, postgres }).register(observableJob('test.polled').job);
    isHanging = true;
    while (postgres.lines.length < 1) await new Promise(setImmediate);
    isHanging = false;
    while (postgres.lines.length < 2) await new Promise(setImmediate);
    expect(postgres.lines).toMatchObject([
      { msg: 'dependency failed', cause: 'timeout', err: { message: expect.stringContaining('Query read timeout') } },
      { msg: 'dependency recovered', cause: 'timeout' },
    ]);
    expect(jobs.lines).toEqual([]);
  });

  it('combines runs that are enqueued for the same second', async () => {
    const queue = instance();
    const { job } = observableJob('test.crowded');
    await queue.register(job);
    await Promise.all(Array.from({ length: 50 }, () => queue.enqueue('test.crowded', 3_600)));
    const [{ count }] = await database.source.query<[{ count: string }]>(
      `select count(*) from pgboss.job where name = 'test.crowded'`,
    );
    expect(Number(count)).toBeLessThan(5);
  });

  it('runs a job after its delay and on its cron schedule', async () => {
    const queue = instance();
    const { job } = observableJob('test.timed');
    await queue.register(job);
    await queue.enqueue('test.timed', 3_600);
    expect(
      await database.source.query(
        `select job.start_after - now() between '59 minutes' and '61 minutes' as is_in_time, schedule.cron
         from pgboss.job join pgboss.schedule using (name) where name = 'test.timed'`,
      ),
    ).toEqual([{ is_in_time: true, cron: YEARLY }]);
  });

  it('removes the schedule and the waiting runs of a job that no instance runs any more', async () => {
    const [before, after] = [instance(), instance()];
    for (const name of ['test.disabled', 'test.kept']) {
      await before.register(observableJob(name).job);
      await before.enqueue(name, 3_600);
    }
    await after.remove('test.disabled');
    await after.remove('test.unknown');
    for (const table of ['schedule', 'job']) {
      const names = `select name from pgboss.${table} where name in ('test.disabled', 'test.kept')`;
      expect(await database.source.query(names)).toEqual([{ name: 'test.kept' }]);
    }
    await after.register(observableJob('test.disabled').job);
    const again = `select cron from pgboss.schedule where name = 'test.disabled'`;
    expect(await database.source.query(again)).toEqual([{ cron: YEARLY }]);
  });

  it('enqueues again after a failed insert', async () => {
    const queue = instance();
    const { job } = observableJob('test.lost');
    await queue.register(job);
    await database.source.query('alter table pgboss.queue rename to away');
    await expect(queue.enqueue('test.lost', 3_600)).rejects.toThrow();
    await database.source.query('alter table pgboss.away rename to queue');
    await queue.enqueue('test.lost', 3_600);
  });

  it('enqueues nothing for a job that is not registered', async () => {
    await instance().enqueue('test.unknown', 0);
    expect(await database.source.query(`select 1 from pgboss.job where name = 'test.unknown'`)).toEqual([]);
  });
});
