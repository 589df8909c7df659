import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { DatabaseUnavailable } from '@homeport/kernel';
import { embeddedServices } from '../testing/embedded-services';
import { type OutageLine, recordOutages } from '../testing/record-outages';
import { PostgresPool } from './postgres-pool';

describe('PostgresPool', () => {
  let pool: PostgresPool;
  let lines: readonly OutageLine[];

  beforeEach(() => {
    const recorded = recordOutages('postgres');
    lines = recorded.lines;
    pool = new PostgresPool({
      url: embeddedServices()['DATABASE_URL'] ?? '',
      applicationName: 'homeport-test',
      poolSize: 2,
      queryTimeoutMs: 1_000,
      outages: recorded.outages,
    });
  });

  afterEach(() => pool.close());

  const backend = async () => (await pool.query<{ pid: number }>('select pg_backend_pid() as pid'))[0]?.pid;

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
    const url = embeddedServices()['DATABASE_URL'] ?? '';
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
