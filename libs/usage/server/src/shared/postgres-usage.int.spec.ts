import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createDatabase, type Database, migrate } from '@homeport/platform/server/database';
import { type FreshDatabase, freshDatabase } from '@homeport/platform/server/testing';
import { PostgresBudgetNoticeLedger } from '../budgets/adapters/postgres/postgres-budget-notice-ledger';
import { PostgresBudgetRepository } from '../budgets/adapters/postgres/postgres-budget-repository';
import { BudgetNotices1766200000200 } from '../budgets/adapters/postgres/migrations/1766200000200-budget-notices';
import { PostgresMonthClosings } from '../months/adapters/postgres/postgres-month-closings';
import { budgetNoticeLedgerContract } from '../testing/budget-notice-ledger.contract';
import { budgetRepositoryContract } from '../testing/budget-repository.contract';
import { monthClosingsContract } from '../testing/month-closings.contract';
import { storageLedgerContract } from '../testing/storage-ledger.contract';
import { PostgresStorageLedger } from '../storage/adapters/postgres/postgres-storage-ledger';
import { usageStoreContract } from '../testing/usage-store.contract';
import { Usage1766000001100 } from '../metering/adapters/postgres/migrations/1766000001100-usage';
import { UsageDeliveries1766200000300 } from '../metering/adapters/postgres/migrations/1766200000300-usage-deliveries';
import { UsageEventExpiry1766200000310 } from '../metering/adapters/postgres/migrations/1766200000310-usage-event-expiry';
import { UsageEventIndex1766200000320 } from '../metering/adapters/postgres/migrations/1766200000320-usage-event-index';
import { PostgresUsageStore } from '../metering/adapters/postgres/postgres-usage-store';

let fresh: FreshDatabase;
let database: Database;

beforeAll(async () => {
  fresh = await freshDatabase();
  const options = {
    url: fresh.url,
    poolSize: 5,
    entities: [],
    migrations: [
      Usage1766000001100,
      BudgetNotices1766200000200,
      UsageDeliveries1766200000300,
      UsageEventExpiry1766200000310,
      UsageEventIndex1766200000320,
    ],
  };
  await migrate(options);
  database = await createDatabase(options).open();
});

afterAll(async () => {
  await database.close();
  await fresh.drop();
});

usageStoreContract(PostgresUsageStore.name, async () => {
  await database.run((manager) => manager.query('truncate usage.closed_months, usage.hours'));
  return new PostgresUsageStore(database);
});

storageLedgerContract(PostgresStorageLedger.name, async () => {
  await database.run((manager) => manager.query('truncate usage.workspaces'));
  return new PostgresStorageLedger(database);
});

it('keeps events in PostgreSQL that can be reported again', async () => {
  const store = new PostgresUsageStore(database);
  const now = new Date();
  await store.record([
    { organization: 'northwind', source: 'https://a.example', id: '1', item: 'agent-run', quantity: 1n, at: now },
  ]);
  await expect(store.removeEvents(new Date(now.getTime() + 1), 10)).rejects.toThrow('events of the last 62 days');
});

monthClosingsContract(PostgresMonthClosings.name, async () => {
  await database.run((manager) => manager.query('truncate usage.closed_months'));
  return { store: new PostgresUsageStore(database), closings: new PostgresMonthClosings(database) };
});

budgetRepositoryContract(PostgresBudgetRepository.name, async () => {
  await database.run((manager) => manager.query('truncate usage.budgets'));
  return new PostgresBudgetRepository(database);
});

budgetNoticeLedgerContract(PostgresBudgetNoticeLedger.name, async () => {
  await database.run((manager) => manager.query('truncate usage.budget_notices'));
  return new PostgresBudgetNoticeLedger(database);
});
