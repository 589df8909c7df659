import { CreateBucketCommand } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { MemoryBudget, S3ObjectStore, type WorkspaceKey, workspaceRoot } from '@homeport/files/server';
import { PostgresAuditTrail } from '@homeport/organizations/server';
import { createDatabase, type Database, migrate } from '@homeport/platform/server/database';
import { createS3Client } from '@homeport/platform/server/storage';
import { type FreshDatabase, freshDatabase, testBuckets } from '@homeport/platform/server/testing';
import { type MeasureStorage, PostgresStorageLedger } from '@homeport/usage/server';
import { databaseOptions } from '../database-options';
import { storageMeasurement } from './storage-measurement';

const ISSUER = 'https://id.example.com';
const rootOf = (subject: string) => workspaceRoot({ issuer: ISSUER, subject });
const [ADA, BEN, CLEO] = [rootOf('ada'), rootOf('ben'), rootOf('cleo')];

let fresh: FreshDatabase;
let database: Database;
let objectStore: S3ObjectStore;
let ledger: PostgresStorageLedger;
let measurement: MeasureStorage;
let logged: unknown[];

beforeAll(async () => {
  fresh = await freshDatabase();
  const options = databaseOptions({ DATABASE_URL: fresh.url, DATABASE_POOL_SIZE: 4 });
  await migrate(options);
  database = await createDatabase(options).open();
  ledger = new PostgresStorageLedger(database);
});

beforeEach(async () => {
  await run('truncate usage.workspaces');
  const [target] = testBuckets().values();
  // A separate bucket, because the inventory lists all workspaces.
  const bucket = { ...target!, bucket: `inventory-${process.hrtime.bigint()}` };
  const client = createS3Client(bucket, 1);
  await client.send(new CreateBucketCommand({ Bucket: bucket.bucket }));
  client.destroy();
  objectStore = new S3ObjectStore(bucket, new MemoryBudget(64 * 1024 * 1024));
  logged = [];
  const log = { warn: (...line: readonly unknown[]) => void logged.push(line) };
  measurement = storageMeasurement(ledger, { database, objectStore, log });
});

afterAll(async () => {
  await database?.close();
  await fresh?.drop();
});

const put = (workspace: string, path: string, bytes: number) =>
  objectStore.put(`${workspace}${path}` as WorkspaceKey, {
    body: Buffer.alloc(bytes),
    size: bytes,
    contentType: 'text/plain',
    condition: undefined,
    signal: new AbortController().signal,
  });
const run = (text: string, values: unknown[] = []) => database.run((manager) => manager.query(text, values));
const totals = async () => Object.fromEntries(await ledger.totals());
/** Takes the inventory. @returns what it logs. */
const inventory = async () => {
  logged.length = 0;
  await measurement.takeInventory();
  return logged;
};

it('corrects a ledger that was made wrong, and logs what it corrects', async () => {
  await put(ADA, 'notes/a.md', 700_000);
  await put(ADA, 'b.md', 300_000);
  await put(BEN, 'c.md', 20);
  await ledger.noteChanges([
    { workspace: ADA, organization: 'northwind' },
    { workspace: BEN, organization: 'globex' },
  ]);
  expect(await inventory()).toEqual([]);
  expect(await totals()).toEqual({ northwind: 1_000_000n, globex: 20n });
  await run('update usage.workspaces set bytes = $2 where workspace = $1', [ADA, 7]);
  await run('update usage.workspaces set bytes = $2 where workspace = $1', [BEN, 5_000]);
  expect(await totals()).toEqual({ northwind: 7n, globex: 5_000n });
  const lines = await inventory();
  expect(lines).toHaveLength(2);
  expect(lines).toEqual(
    expect.arrayContaining([
      [{ workspace: ADA, recorded: '7', found: '1000000' }, 'the storage ledger was corrected'],
      [{ workspace: BEN, recorded: '5000', found: '20' }, 'the storage ledger was corrected'],
    ]),
  );
  expect(await totals()).toEqual({ northwind: 1_000_000n, globex: 20n });
  expect(await inventory()).toEqual([]);
});

it('adds the workspace of a person in the audit trail, and corrects one that has no files', async () => {
  await put(ADA, 'a.md', 1_000);
  await put(CLEO, 'unknown.md', 3);
  await new PostgresAuditTrail(database).record({
    ...{ actor: { issuer: ISSUER, subject: 'ada' }, organization: 'northwind', action: 'apps.registered' },
    ...{ target: 'app', detail: {} },
  });
  await run('insert into usage.workspaces (workspace, organization, bytes) values ($1, $2, $3)', [BEN, 'globex', 20]);
  expect(await inventory()).toEqual([
    [{ workspaces: 1 }, 'workspaces of unknown people are not measured'],
    [{ workspace: BEN, recorded: '20', found: '0' }, 'the storage ledger was corrected'],
  ]);
  expect(await totals()).toEqual({ northwind: 1_000n, globex: 0n });
});
