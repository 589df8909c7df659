import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { embeddedServices } from '../testing/embedded-services';
import { recordOutages } from '../testing/record-outages';
import { DatabaseUnavailable } from '@homeport/kernel';
import { createDatabase } from './create-database';
import type { Database } from './database';

let database: Database;

beforeEach(async () => {
  database = await createDatabase({
    url: embeddedServices()['DATABASE_URL'] ?? '',
    poolSize: 1,
    entities: [],
    migrations: [],
    queryTimeoutMs: 1_000,
  }).open();
});

afterEach(() => database.close());

async function backend(): Promise<unknown> {
  return database.source.query('select pg_backend_pid()');
}

describe('PostgreSQL outages', () => {
  const urlWith = (change: (url: URL) => void): string => {
    const url = new URL(embeddedServices()['DATABASE_URL'] ?? '');
    change(url);
    return url.href;
  };

  it.each([
    ['a wrong password', (url: URL) => (url.password = 'wrong-password'), '28P01'],
    ['an unknown database', (url: URL) => (url.pathname = 'unknown'), '3D000'],
    ['no server', (url: URL) => (url.port = '1'), 'ECONNREFUSED'],
  ])('are logged once with the cause: %s', async (_what, change, cause) => {
    const { outages, lines } = recordOutages('postgres');
    const options = { poolSize: 1, entities: [], migrations: [], outages };
    await expect(createDatabase({ ...options, url: urlWith(change) }).open()).rejects.toThrow();
    expect(lines).toMatchObject([{ msg: 'dependency failed', operation: 'query', cause }]);
    expect(JSON.stringify(lines)).not.toContain('wrong-password');
  });

  it('are logged when a query times out and when the next query succeeds', async () => {
    const { outages, lines } = recordOutages('postgres');
    const url = embeddedServices()['DATABASE_URL'] ?? '';
    const options = { poolSize: 2, entities: [], migrations: [], queryTimeoutMs: 1_000, outages };
    const observed = await createDatabase({ ...options, url }).open();
    await expect(observed.run((manager) => manager.query('select pg_sleep(60)'))).rejects.toThrow();
    await observed.run((manager) => manager.query('select 1'));
    await observed.close();
    expect(lines.map(({ msg, cause }) => [msg, cause])).toEqual([
      ['dependency failed', 'timeout'],
      ['dependency recovered', 'timeout'],
    ]);
  });
});

describe('createDatabase', () => {
  it('reuses a connection after a failed query', async () => {
    const before = await backend();
    await expect(database.source.query('select 1/0')).rejects.toThrow('division by zero');
    expect(await backend()).toEqual(before);
  });

  it('does not reuse a connection after a query timeout, because the query may still be running', async () => {
    const before = await backend();
    await expect(database.source.query('select pg_sleep(60)')).rejects.toThrow('Query read timeout');
    expect(await backend()).not.toEqual(before);
  });

  it('closes the connection of a transaction after a query timeout', async () => {
    const before = await backend();
    const work = database.source.transaction((manager) => manager.query('select pg_sleep(60)'));
    await expect(work).rejects.toThrow('Query read timeout');
    expect(await backend()).not.toEqual(before);
  });

  it('rejects all waiting callers at once when the database is unavailable', async () => {
    const slow = database.run((manager) => manager.query('select pg_sleep(60)'));
    const waiting = Array.from({ length: 5 }, () => database.run(async () => 'never'));
    const results = await Promise.allSettled([slow, ...waiting]);
    const reasons = results.map((result) => (result.status === 'rejected' ? (result.reason as unknown) : result));
    for (const reason of reasons) expect(reason).toBeInstanceOf(DatabaseUnavailable);
    expect(await database.run(async () => 'back')).toBe('back');
  });

  it('rejects a transaction with DatabaseUnavailable when its connection breaks between two queries', async () => {
    const broken = database.transaction(async (manager) => {
      const [{ pid }] = await manager.query<[{ pid: number }]>('select pg_backend_pid() as pid');
      const other = new Client({ connectionString: embeddedServices()['DATABASE_URL'] });
      await other.connect();
      await other.query('select pg_terminate_backend($1, 5000)', [pid]);
      await other.end();
      await manager.query('select 1');
    });
    await expect(broken).rejects.toBeInstanceOf(DatabaseUnavailable);
    expect(await database.run(async (manager) => manager.query('select 1 as one'))).toEqual([{ one: 1 }]);
  });

  it('ends a transaction of which every statement is slow, and works again when statements are fast', async () => {
    const url = embeddedServices()['DATABASE_URL'] ?? '';
    const slow = await createDatabase({ url, poolSize: 2, entities: [], migrations: [] }).open();
    let statements = 0;
    const work = slow.transaction(async (manager) => {
      for (; statements < 10; statements += 1) await manager.query('select pg_sleep(1.6)');
    });
    await expect(work).rejects.toBeInstanceOf(DatabaseUnavailable);
    expect(statements).toBe(2);
    await expect(slow.run(async () => 'rejected at once')).rejects.toBeInstanceOf(DatabaseUnavailable);
    const one = () => slow.run((manager) => manager.query('select 1 as one')).catch(() => undefined);
    while ((await one()) === undefined) await new Promise((resolve) => setTimeout(resolve, 50));
    expect(await one()).toEqual([{ one: 1 }]);
    await slow.close();
  });

  it('rolls back a transaction that throws', async () => {
    await database.run((manager) => manager.query('create temporary table kept (n integer)'));
    const work = database.transaction(async (manager) => {
      await manager.query('insert into kept values (1)');
      throw new Error('changed my mind');
    });
    await expect(work).rejects.toThrow('changed my mind');
    expect(await database.run((manager) => manager.query('select n from kept'))).toEqual([]);
  });

  it('does not reject waiting callers when a query fails on a row lock', async () => {
    const locked = database.run((manager) => manager.query(`do $$ begin raise sqlstate '55P03'; end $$`));
    const waiting = database.run(async () => 'goes on');
    await expect(locked).rejects.toBeInstanceOf(DatabaseUnavailable);
    expect(await waiting).toBe('goes on');
  });
});
