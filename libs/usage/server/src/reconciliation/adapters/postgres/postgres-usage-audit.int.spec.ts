import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createDatabase, type Database, migrate } from '@homeport/platform/server/database';
import { type FreshDatabase, freshDatabase } from '@homeport/platform/server/testing';
import { BillingPeriod } from '@homeport/usage/contracts';
import { Usage1766000001100 } from '../../../metering/adapters/postgres/migrations/1766000001100-usage';
import { PostgresUsageStore } from '../../../metering/adapters/postgres/postgres-usage-store';
import { PostgresUsageAudit } from './postgres-usage-audit';

const MICRO = 1_000_000n;
const now = new Date();
const period = BillingPeriod.containing(now);

let fresh: FreshDatabase;
let database: Database;
let audit: PostgresUsageAudit;

beforeAll(async () => {
  fresh = await freshDatabase();
  const options = { url: fresh.url, poolSize: 3, entities: [], migrations: [Usage1766000001100] };
  await migrate(options);
  database = await createDatabase(options).open();
  audit = new PostgresUsageAudit(database);
  const use = { source: 'test', item: 'agent-run', quantity: 7n * MICRO, at: now };
  const organizations = ['a', 'b', 'c', 'd'];
  await new PostgresUsageStore(database).record(
    organizations.flatMap((organization) => ['1', '2'].map((id) => ({ ...use, organization, id }))),
  );
  await database.run((manager) => manager.query(`delete from usage.hours where organization = 'b'`));
  await database.run((manager) => manager.query(`update usage.hours set quantity = 1 where organization = 'c'`));
  await database.run((manager) =>
    manager.query(`insert into usage.hours values ('e', $1, 'vault', $2, 3)`, [period.name, now]),
  );
});

afterAll(async () => {
  await database.close();
  await fresh.drop();
});

describe('PostgresUsageAudit', () => {
  it('pages the organizations with events or hourly sums', async () => {
    expect(await audit.organizations(undefined, 3)).toEqual(['a', 'b', 'c']);
    expect(await audit.organizations('c', 3)).toEqual(['d', 'e']);
    expect(await audit.organizations('e', 3)).toEqual([]);
  });

  it('finds the organizations of a page with usage in a month', async () => {
    expect(await audit.withUsage(period, ['a', 'b', 'e'])).toEqual(['a', 'e']);
    expect(await audit.withUsage(period.next(), ['a', 'b', 'e'])).toEqual([]);
  });

  it('finds sums of a page that differ from the events', async () => {
    const difference = { item: 'agent-run', eventSum: '14' };
    expect(await audit.mismatches(period, ['a', 'b', 'c', 'd'])).toEqual([
      { organization: 'b', ...difference, hourlySum: '0' },
      { organization: 'c', ...difference, hourlySum: '1' },
    ]);
    expect(await audit.mismatches(period, ['e'])).toMatchObject([{ organization: 'e', eventSum: '0', hourlySum: '3' }]);
    expect(await audit.mismatches(period, ['a', 'd'])).toEqual([]);
  });
});
