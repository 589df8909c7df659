import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { DatabaseUnavailable, RateLimited } from '@homeport/kernel';
import { Pool } from 'pg';
import { freshDatabase } from '../testing';
import { RateLimits1766100000100 } from './migrations/1766100000100-rate-limits';
import { RateLimit, type RateLimitQuery } from './rate-limit';

const LIMIT = 100;

let database: Awaited<ReturnType<typeof freshDatabase>>;
let pool: Pool;
let queries = 0;

const query: RateLimitQuery = async (text, values) => {
  queries += 1;
  return (await pool.query(text, values)).rows;
};

beforeAll(async () => {
  database = await freshDatabase();
  pool = new Pool({ connectionString: database.url, max: 4 });
  await pool.query('create schema platform');
  const runner = { query: (text: string) => pool.query(text) };
  await new RateLimits1766100000100().up(runner as never);
});
beforeEach(async () => {
  await pool.query('delete from platform.rate_limits');
  queries = 0;
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

/** @returns how many calls the limit admits. */
async function admitted(limits: readonly RateLimit[], calls: number): Promise<number> {
  const all = Array.from({ length: calls }, (_, i) => limits[i % limits.length]?.take(() => 'organization'));
  const results = await Promise.allSettled(all);
  for (const result of results) {
    if (result.status === 'rejected') expect(result.reason).toBeInstanceOf(RateLimited);
  }
  return results.filter(({ status }) => status === 'fulfilled').length;
}

describe('a shared rate limit', () => {
  it('admits its number at two instances together', async () => {
    const limits = [new RateLimit('creation', LIMIT, query), new RateLimit('creation', LIMIT, query)];
    expect(await admitted(limits, 1_000)).toBe(LIMIT);
  });

  it('rejects without a query once a caller is above it', async () => {
    const limit = new RateLimit('creation', 1, query);
    expect(await admitted([limit], 1)).toBe(1);
    queries = 0;
    expect(await admitted([limit], 100)).toBe(0);
    expect(queries).toBe(0);
  });

  it('counts again after the window', async () => {
    const [one, two] = [new RateLimit('creation', 1, query), new RateLimit('creation', 1, query)];
    expect(await admitted([one], 1)).toBe(1);
    expect(await admitted([two], 1)).toBe(0);
    await pool.query('update platform.rate_limits set expire = 0');
    expect(await admitted([new RateLimit('creation', 1, query)], 1)).toBe(1);
  });

  it('rejects while PostgreSQL is unavailable', async () => {
    const limit = new RateLimit('creation', LIMIT, () => Promise.reject(new DatabaseUnavailable()));
    await expect(limit.take(() => 'organization')).rejects.toBeInstanceOf(DatabaseUnavailable);
  });
});
