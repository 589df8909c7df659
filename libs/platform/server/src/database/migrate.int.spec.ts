import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { type FreshDatabase, freshDatabase } from '../testing/embedded-services';
import { migrate } from './create-database';

/** Fails when it runs twice. */
class CreateCounter1000000000001 implements MigrationInterface {
  readonly name = 'CreateCounter1000000000001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('create table counter (runs integer)');
    await runner.query('insert into counter values (1)');
  }

  async down(): Promise<void> {
    throw new Error('not needed');
  }
}

/** Fails after its first statement. */
class FailHalfway1000000000002 implements MigrationInterface {
  readonly name = 'FailHalfway1000000000002';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table counter add column half integer');
    await runner.query('select 1/0');
  }

  async down(): Promise<void> {
    throw new Error('not needed');
  }
}

/** Builds an index while two other instances wait for the lock. */
class IndexCounter1000000000003 implements MigrationInterface {
  readonly name = 'IndexCounter1000000000003';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    const waiting = `select from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and query like '%advisory_lock%'`;
    while (((await runner.query(waiting)) as unknown[]).length < 3);
    await runner.query('create index concurrently counter_idx on counter (runs)');
  }

  async down(): Promise<void> {
    throw new Error('not needed');
  }
}

/** PostgreSQL ends its first attempt, as in a deadlock with a query. */
class Deadlock1000000000004 implements MigrationInterface {
  static attempts = 0;
  readonly name = 'Deadlock1000000000004';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table counter add column third integer');
    Deadlock1000000000004.attempts += 1;
    if (Deadlock1000000000004.attempts === 1)
      await runner.query(`do $$ begin raise exception 'deadlock detected' using errcode = '40P01'; end $$`);
  }

  async down(): Promise<void> {
    throw new Error('not needed');
  }
}

describe('migrate', () => {
  let fresh: FreshDatabase;

  beforeAll(async () => {
    fresh = await freshDatabase();
  });
  afterAll(() => fresh.drop());

  const options = () => ({ url: fresh.url, poolSize: 1, entities: [], migrations: [CreateCounter1000000000001] });
  const rows = async (sql: string) => {
    const client = new Client({ connectionString: fresh.url });
    await client.connect();
    return client.query(sql).then(
      (result) => client.end().then(() => result.rows as unknown[]),
      (error: Error) => client.end().then(() => Promise.reject(error)),
    );
  };

  it('applies a migration once when several instances start at the same time', async () => {
    const applied = await Promise.all([migrate(options()), migrate(options()), migrate(options())]);
    expect(applied.flat()).toEqual(['CreateCounter1000000000001']);
    expect(await rows('select runs from counter')).toEqual([{ runs: 1 }]);
    expect(await rows('select name from homeport_migrations')).toEqual([{ name: 'CreateCounter1000000000001' }]);
  });

  it('lets a migration build an index concurrently while other instances wait', async () => {
    const indexing = { ...options(), migrations: [CreateCounter1000000000001, IndexCounter1000000000003] };
    const applied = await Promise.all([migrate(indexing), migrate(indexing), migrate(indexing)]);
    expect(applied.flat()).toEqual(['IndexCounter1000000000003']);
  });

  it('repeats a migration that a deadlock ended', async () => {
    const migrations = [CreateCounter1000000000001, Deadlock1000000000004];
    expect(await migrate({ ...options(), migrations })).toEqual(['Deadlock1000000000004']);
    expect(Deadlock1000000000004.attempts).toBe(2);
    expect(await rows('select third from counter')).toEqual([{ third: null }]);
  });

  it('names the migrations of a newer version, if there are any', async () => {
    const other = await freshDatabase();
    const newer: (readonly string[])[] = [];
    const migrateWith = (migrations: (new () => MigrationInterface)[]) =>
      migrate({ ...options(), url: other.url, migrations }, (names) => void newer.push(names.toSorted()));
    await migrateWith([CreateCounter1000000000001, Deadlock1000000000004]);
    await migrateWith([CreateCounter1000000000001]);
    expect(await migrateWith([])).toEqual([]);
    expect(newer).toEqual([['Deadlock1000000000004'], ['CreateCounter1000000000001', 'Deadlock1000000000004']]);
    await other.drop();
  });

  it('leaves nothing of a migration that fails, and releases the lock', async () => {
    const failing = { ...options(), migrations: [CreateCounter1000000000001, FailHalfway1000000000002] };
    await expect(migrate(failing)).rejects.toThrow('division by zero');
    await expect(rows('select half from counter')).rejects.toThrow('does not exist');
    expect(await migrate(options())).toEqual([]);
  });
});
