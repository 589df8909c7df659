import { afterAll, afterEach, beforeAll, beforeEach, describe, jest } from '@jest/globals';
import type { Database } from '@homeport/platform/server/database';
import type { JobQueue } from '@homeport/platform/server/jobs';
import { PostgresAppRepository } from '../../../registry/adapters/postgres/postgres-app-repository';
import { PostgresIdempotencyKeys } from '../../../registry/adapters/postgres/postgres-idempotency-keys';
import { AppFixture } from '../../../testing/app-fixture';
import { type AppsDatabase, openAppsDatabase } from '../../../testing/open-apps-database';
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
  let opened: AppsDatabase;
  let database: Database;
  let jobs: JobQueue;
  beforeAll(async () => {
    opened = await openAppsDatabase();
    ({ database, jobs } = opened);
  });
  afterAll(() => opened.close());
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
