import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { DatabaseUnavailable } from '@homeport/kernel';
import { embeddedServices } from '../testing/embedded-services';
import { type OutageLine, recordOutages } from '../testing/record-outages';
import { PostgresPool } from './postgres-pool';

const url = embeddedServices()['DATABASE_URL'] ?? '';

describe('PostgresPool', () => {
  let pool: PostgresPool;
  let lines: readonly OutageLine[];

  beforeEach(() => {
    const recorded = recordOutages('postgres');
    lines = recorded.lines;
    pool = new PostgresPool({
      url,
      applicationName: 'homeport-test',
      poolSize: 2,
      queryTimeoutMs: 1_000,
      outages: recorded.outages,
    });
  });

  afterEach(() => pool.close());

  const backend = async () => (await pool.query<{ pid: number }>('select pg_backend_pid() as pid'))[0]?.pid;

  it('opens all connections at once, and only once', async () => {
    const wide = new PostgresPool({ url, applicationName: 'homeport-test-wide', poolSize: 5 });
    const connections = async () => {
      const rows = await pool.query("select pid from pg_stat_activity where application_name = 'homeport-test-wide'");
      return rows.length;
    };
    expect(await connections()).toBe(0);
    await wide.open();
    expect(await connections()).toBe(5);
    await wide.close();
    await expect(wide.open()).resolves.toBeUndefined();
  });

  it('opens with fewer connections when PostgreSQL has no more, and not without any', async () => {
    const role = `homeport_test_few_${process.pid}`;
    const limited = new URL(url);
    Object.assign(limited, { username: role, password: 'few' });
    const options = { url: limited.href, applicationName: 'homeport-test-few', poolSize: 5 };
    const [first, second] = [new PostgresPool(options), new PostgresPool(options)];
    await pool.query(`create role ${role} login password 'few' connection limit 2`);
    try {
      await first.open();
      expect(await first.query('select 1 as one')).toEqual([{ one: 1 }]);
      await expect(second.open()).rejects.toBeInstanceOf(DatabaseUnavailable);
      await pool.query(`alter role ${role} connection limit 4`);
      await second.open();
    } finally {
      await Promise.all([first.close(), second.close()]);
      await pool.query(`drop role ${role}`);
    }
  });

  it('tries to open its connections again after a failure', async () => {
    const absent = new URL(url);
    absent.pathname = '/homeport_absent';
    const closed = new PostgresPool({ url: absent.href, applicationName: 'homeport-test', poolSize: 3 });
    await expect(closed.open()).rejects.toThrow();
    await expect(closed.open()).rejects.toThrow();
    await closed.close();
  });

  it('returns rows, with values', async () => {
    expect(await pool.query('select $1::int as one', [1])).toEqual([{ one: 1 }]);
  });

  it('passes errors of a query on', async () => {
    await expect(pool.query('select 1/0')).rejects.toThrow('division by zero');
    expect(lines).toEqual([]);
  });

  it('does not reuse a connection after a query timeout, and logs one outage', async () => {
    const before = await backend();
    const slow = pool.query('select pg_sleep(60)');
    const waiting = Array.from({ length: 3 }, () => pool.query('select 1'));
    for (const query of [slow, ...waiting]) await expect(query).rejects.toBeInstanceOf(DatabaseUnavailable);
    expect(await backend()).not.toBe(before);
    expect(lines.map(({ msg, cause }) => [msg, cause])).toEqual([
      ['dependency failed', 'timeout'],
      ['dependency recovered', 'timeout'],
    ]);
  });

  it('rejects queries after two slow ones', async () => {
    const patient = new PostgresPool({ url, applicationName: 'homeport-test', poolSize: 3 });
    await Promise.all([1, 2].map(() => patient.query('select pg_sleep(1.6)')));
    await expect(patient.query('select 1')).rejects.toBeInstanceOf(DatabaseUnavailable);
    await patient.close();
  });

  it('survives an idle connection that PostgreSQL closes', async () => {
    const pid = await backend();
    await pool.query('select pg_terminate_backend($1, 5000)', [pid]).catch(() => undefined);
    expect(await backend()).not.toBe(pid);
  });

  it('is unavailable after it is closed', async () => {
    const closed = new PostgresPool({ url: 'postgres://127.0.0.1:1/x', applicationName: 'homeport-test', poolSize: 1 });
    await closed.close();
    await expect(closed.query('select 1')).rejects.toBeInstanceOf(DatabaseUnavailable);
  });
});
