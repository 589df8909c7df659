import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createDatabase, type Database, migrate } from '@homeport/platform/server/database';
import { SecretBox } from '@homeport/platform/server/secrets';
import { type FreshDatabase, freshDatabase } from '@homeport/platform/server/testing';
import { appsDatabaseOptions } from '../../../testing/apps-database';
import { PostgresAcmeAccounts } from './postgres-acme-accounts';

const DIRECTORY = 'https://ca.example/directory';
const NOW = new Date('2026-11-24T12:00:00Z');
const HOUR_MS = 3_600_000;
const box = new SecretBox([{ id: 'test', key: Buffer.alloc(32, 1) }]);
const after = (ms: number) => new Date(NOW.getTime() + ms);

let fresh: FreshDatabase;
/** Two instances of the product. */
let databases: readonly Database[];
let instances: readonly [PostgresAcmeAccounts, PostgresAcmeAccounts];

beforeAll(async () => {
  fresh = await freshDatabase();
  await migrate(appsDatabaseOptions(fresh.url));
  const open = () => createDatabase(appsDatabaseOptions(fresh.url)).open();
  const [one, other] = await Promise.all([open(), open()]);
  databases = [one, other];
  instances = [new PostgresAcmeAccounts(one, box), new PostgresAcmeAccounts(other, box)];
});
afterAll(async () => {
  await Promise.all(databases.map((database) => database.close()));
  await fresh.drop();
});
beforeEach(() => databases[0]?.source.query('truncate apps.acme_accounts cascade'));

describe('the account at an authority', () => {
  it('has one key, even when two instances create it at once', async () => {
    const [one, other] = await Promise.all(instances.map((each) => each.get(DIRECTORY)));
    expect(one?.privateKey).toContain('PRIVATE KEY');
    expect(other).toEqual(one);
  });

  it('is another one at each authority', async () => {
    const [first] = instances;
    const { privateKey } = await first.get(DIRECTORY);
    expect((await first.get('https://other.example/directory')).privateKey).not.toBe(privateKey);
  });

  it('gets another key when an operator deletes it', async () => {
    const [one, other] = instances;
    const { privateKey } = await one.get(DIRECTORY);
    await one.setUrl(DIRECTORY, 'https://ca.example/account/1');
    // As docs/key-rotation.md says.
    await databases[0]?.source.query('delete from apps.acme_accounts where directory = $1', [DIRECTORY]);
    const account = await other.get(DIRECTORY);
    expect(account.privateKey).not.toBe(privateKey);
    expect(account.url).toBeUndefined();
  });

  it('keeps its URL until it is forgotten, and its key sealed', async () => {
    const [one, other] = instances;
    const { privateKey, url } = await one.get(DIRECTORY);
    expect(url).toBeUndefined();
    await one.setUrl(DIRECTORY, 'https://ca.example/account/1');
    expect(await other.get(DIRECTORY)).toEqual({
      directory: DIRECTORY,
      privateKey,
      url: 'https://ca.example/account/1',
    });
    await one.setUrl(DIRECTORY, undefined);
    expect((await other.get(DIRECTORY)).url).toBeUndefined();
    const [row] = await (databases[0] as Database).source.query('select sealed_key from apps.acme_accounts');
    expect(String(row.sealed_key)).not.toContain('PRIVATE KEY');
  });
});

describe('the pace of orders', () => {
  const reserve = (now: Date, at: 0 | 1 = 0) => instances[at].reserveOrder(DIRECTORY, now);
  beforeEach(() => instances[0].get(DIRECTORY));

  it('permits one order a second to all instances together', async () => {
    const delays = await Promise.all(Array.from({ length: 20 }, (_, count) => reserve(NOW, count % 2 ? 1 : 0)));
    expect(delays.filter((delay) => delay === 0)).toHaveLength(1);
    expect(delays.filter((delay) => delay === 1_000)).toHaveLength(19);
    expect(await reserve(after(400), 1)).toBe(600);
    expect(await reserve(after(1_000), 1)).toBe(0);
  });

  it('permits 250 orders in three hours', async () => {
    for (let count = 0; count < 250; count += 1) expect(await reserve(after(count * 1_000))).toBe(0);
    expect(await reserve(after(300_000), 1)).toBe(3 * HOUR_MS - 300_000);
    expect(await reserve(after(3 * HOUR_MS + 1), 1)).toBe(0);
  });

  it('is counted for each authority', async () => {
    const other = 'https://other.example/directory';
    await instances[0].get(other);
    expect(await reserve(NOW)).toBe(0);
    expect(await instances[1].reserveOrder(other, NOW)).toBe(0);
  });
});
