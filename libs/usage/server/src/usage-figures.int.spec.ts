import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createDatabase, type Database, migrate } from '@homeport/platform/server/database';
import { type FreshDatabase, freshDatabase } from '@homeport/platform/server/testing';
import { BudgetNotices1766200000200 } from './budgets/adapters/postgres/migrations/1766200000200-budget-notices';
import { Usage1766000001100 } from './metering/adapters/postgres/migrations/1766000001100-usage';
import { usageFigures } from './usage-figures';

let fresh: FreshDatabase;
let database: Database;
const run = (text: string) => database.run((manager) => manager.query(text));

beforeAll(async () => {
  fresh = await freshDatabase();
  const options = {
    url: fresh.url,
    poolSize: 2,
    entities: [],
    migrations: [Usage1766000001100, BudgetNotices1766200000200],
  };
  await migrate(options);
  database = await createDatabase(options).open();
});

afterAll(async () => {
  await database.close();
  await fresh.drop();
});

describe('homeport_usage_months_overdue', () => {
  beforeEach(() => run('truncate usage.closed_months, usage.hours'));

  /** @param age months since the current one. */
  const monthAgo = (age: number) =>
    `to_char(date_trunc('month', now() at time zone 'UTC') - interval '${age} months', 'YYYY-MM')`;
  const close = (age: number, closed: string, charged: string) =>
    run(`insert into usage.closed_months values (${monthAgo(age)}, ${closed}, null, ${charged})`);
  const overdue = async () => {
    const figures = await usageFigures((text) => run(text)).read();
    return figures['homeport_usage_months_overdue'];
  };

  it('is 0 before anything is measured', async () => {
    expect(await overdue()).toEqual([{ value: 0 }]);
  });

  it('counts months after the first measured one', async () => {
    await run(`insert into usage.hours values ('northwind', ${monthAgo(3)}, 'storage',
      date_trunc('month', now() at time zone 'UTC') at time zone 'UTC' - interval '75 days', 1)`);
    // Whether the last month has ended for 26 hours depends on today.
    expect([[{ value: 2 }], [{ value: 3 }]]).toContainEqual(await overdue());
  });

  it('counts months after the last closed one', async () => {
    await close(4, 'now()', 'now()');
    expect([[{ value: 2 }], [{ value: 3 }]]).toContainEqual(await overdue());
  });

  it('counts closed months that are not charged after two hours', async () => {
    await close(0, 'now()', 'null');
    expect(await overdue()).toEqual([{ value: 0 }]);
    await close(1, `now() - interval '3 hours'`, 'null');
    expect(await overdue()).toEqual([{ value: 1 }]);
  });
});

describe('homeport_usage_budget_notices_unsent', () => {
  it('counts notices that wait, and those that were given up', async () => {
    await run(`insert into usage.budget_notices (organization, period, percent, budget_usd, total_usd, due_at, sent_at)
      values ('northwind', '2026-11', 50, 1, 1, null, now()), ('northwind', '2026-11', 75, 1, 1, null, null),
        ('northwind', '2026-11', 80, 1, 1, now(), null), ('northwind', '2026-11', 90, 1, 1, now(), null)`);
    const figures = await usageFigures((text) => run(text)).read();
    expect(figures['homeport_usage_budget_notices_unsent']).toEqual([
      { labels: { state: 'waiting' }, value: 2 },
      { labels: { state: 'given-up' }, value: 1 },
    ]);
  });
});
