import { afterAll, afterEach, beforeAll, beforeEach, describe, jest } from '@jest/globals';
import { createDatabase, type Database, migrate } from '@homeport/platform/server/database';
import { JobQueue } from '@homeport/platform/server/jobs';
import { type FreshDatabase, freshDatabase } from '@homeport/platform/server/testing';
import { PostgresAppRepository } from '../../../registry/adapters/postgres/postgres-app-repository';
import { PostgresIdempotencyKeys } from '../../../registry/adapters/postgres/postgres-idempotency-keys';
import { AppFixture } from '../../../testing/app-fixture';
import { appsDatabaseOptions } from '../../../testing/apps-database';
import { dnsLedgerContract } from '../../../testing/dns-ledger.contract';
import { idempotencyKeysContract } from '../../../testing/idempotency-keys.contract';
import { PostgresDnsLedger } from './postgres-dns-ledger';

/** Longer than the delays of the contract. */
const SHIFT_MS = 2 * 3_600_000;
/** Everything that Jest replaces but `Date`, which has the clock of the machine. */
const KEPT = [
  ...(['hrtime', 'nextTick', 'performance', 'queueMicrotask', 'setImmediate', 'clearImmediate'] as const),
  ...(['setInterval', 'clearInterval', 'setTimeout', 'clearTimeout'] as const),
];

describe.each([
  ['fast', SHIFT_MS],
  ['slow', -SHIFT_MS],
])('on a machine whose clock is two hours %s', (_, shiftMs) => {
  let fresh: FreshDatabase;
  let database: Database;
  let jobs: JobQueue;
  beforeAll(async () => {
    fresh = await freshDatabase();
    await migrate(appsDatabaseOptions(fresh.url));
    database = await createDatabase(appsDatabaseOptions(fresh.url)).open();
    jobs = new JobQueue({ database: database.source });
  });
  afterAll(async () => {
    await database.close();
    await fresh.drop();
  });
  beforeEach(() => {
    jest.useFakeTimers({ now: Date.now() + shiftMs, doNotFake: KEPT });
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  dnsLedgerContract(PostgresDnsLedger.name, () => ({
    apps: new PostgresAppRepository(database),
    ledger: new PostgresDnsLedger(database, jobs),
    registry: AppFixture.inPostgres(database, jobs),
  }));
  idempotencyKeysContract(PostgresIdempotencyKeys.name, () => new PostgresIdempotencyKeys(database));
});
