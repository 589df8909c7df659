import { afterAll, beforeAll } from '@jest/globals';
import { createDatabase, type Database, migrate } from '@homeport/platform/server/database';
import { type FreshDatabase, freshDatabase } from '@homeport/platform/server/testing';
import { storageLedgerContract } from '../testing/storage-ledger.contract';
import { PostgresStorageLedger } from '../storage/adapters/postgres/postgres-storage-ledger';
import { usageStoreContract } from '../testing/usage-store.contract';
import { Usage1766000001100 } from '../metering/adapters/postgres/migrations/1766000001100-usage';
import { PostgresUsageStore } from '../metering/adapters/postgres/postgres-usage-store';

let fresh: FreshDatabase;
let database: Database;

beforeAll(async () => {
  fresh = await freshDatabase();
  const options = { url: fresh.url, poolSize: 5, entities: [], migrations: [Usage1766000001100] };
  await migrate(options);
  database = await createDatabase(options).open();
});

afterAll(async () => {
  await database.close();
  await fresh.drop();
});

usageStoreContract(PostgresUsageStore.name, async () => {
  await database.run((manager) => manager.query('truncate usage.closed_months'));
  return new PostgresUsageStore(database);
});

storageLedgerContract(PostgresStorageLedger.name, async () => {
  await database.run((manager) => manager.query('truncate usage.workspaces'));
  return new PostgresStorageLedger(database);
});
