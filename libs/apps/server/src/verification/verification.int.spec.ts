import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  type BlobKey,
  blobKey,
  type Encoding,
  InMemoryBlobInventory,
  InMemoryBlobStore,
} from '@homeport/platform/server/blobs';
import type { Database } from '@homeport/platform/server/database';
import { certificateContext, SecretBox, variableContext } from '@homeport/platform/server/secrets';
import { PostgresDnsLedger } from '../dns/adapters/postgres/postgres-dns-ledger';
import { InMemoryDnsZone } from '../dns/adapters/memory/in-memory-dns-zone';
import { DnsDriftDetector } from '../dns/application/dns-drift-detector';
import { HostnamePolicy } from '../shared/domain/hostname-policy';
import { type AppsDatabase, openAppsDatabase } from '../testing/open-apps-database';
import { digestOf } from '../testing/deploy-fixtures';
import { PostgresRecordedState } from './adapters/postgres/postgres-recorded-state';
import { BlobComparison } from './application/blob-comparison';
import { RepairConsistency } from './application/repair-consistency';
import { VerifyConsistency } from './application/verify-consistency';
import type { Finding } from './domain/finding';

const signal = new AbortController().signal;
const KEY = { id: 'current', key: Buffer.alloc(32, 1) };
const LOST_KEY = { id: 'lost', key: Buffer.alloc(32, 2) };
const EDGE = 'edge.test';

interface Deployed {
  readonly app: string;
  readonly deployId: string;
  readonly blobId: string;
  readonly key: BlobKey;
}

describe('the verification', () => {
  let opened: AppsDatabase;
  let database: Database;
  let blobs: InMemoryBlobStore;
  let zone: InMemoryDnsZone;
  let consistency: VerifyConsistency;
  let repair: RepairConsistency;
  let count = 0;
  const query = <T>(sql: string, values: unknown[] = []) => database.source.query<T>(sql, values);

  beforeAll(async () => {
    opened = await openAppsDatabase();
    ({ database } = opened);
  });
  afterAll(() => opened.close());
  beforeEach(async () => {
    await query(`truncate apps.apps, apps.deploys, apps.blobs, apps.dns_records, apps.certificates cascade`);
    blobs = new InMemoryBlobStore();
    zone = new InMemoryDnsZone();
    const records = new PostgresRecordedState(database, new SecretBox([KEY]));
    const comparison = new BlobComparison({ records, blobs, inventory: new InMemoryBlobInventory(blobs) });
    const hostnames = new HostnamePolicy({ domain: 'apps.test', cdnHostname: EDGE, edgePort: 1, reserved: [] });
    const ledger = new PostgresDnsLedger(database, opened.jobs);
    const drift = new DnsDriftDetector({ ledger, zone, hostnames });
    consistency = new VerifyConsistency({ comparison, records, drift });
    repair = new RepairConsistency({ comparison, records, blobs, drift });
  });

  const findings = async (): Promise<Finding[]> => {
    const found: Finding[] = [];
    for await (const each of consistency.execute(signal)) found.push(each);
    return found;
  };
  const summary = async () => (await findings()).map(({ severity, subject }) => `${severity}: ${subject}`);

  /** An app with a record and a ready deploy of one file. */
  const deployed = async (organization = 'northwind', text = `page ${count}`): Promise<Deployed> => {
    const app = `shop-${count++}`;
    const [appId, deployId, blobId, digest] = [randomUUID(), randomUUID(), randomUUID(), digestOf(text)];
    const key = blobKey(organization, digest, blobId);
    await blobs.put(key, 'identity', Buffer.from(text), signal);
    await blobs.put(key, 'br', Buffer.from('br'), signal);
    await query(
      `insert into apps.blobs (id, organization, digest, size, br_size, state) values ($1, $2, decode($3, 'hex'), $4, 2, 'stored')`,
      [blobId, organization, digest, text.length],
    );
    await query(
      `insert into apps.apps (id, organization, name, subdomain, type, created_by) values ($1, $2, $3, $3, 'static', 'ada')`,
      [appId, organization, app],
    );
    await query(
      `insert into apps.deploys (id, app_id, organization, number, status, created_by, ready_at)
       values ($1, $2, $3, 1, 'ready', 'ada', now())`,
      [deployId, appId, organization],
    );
    await query(
      `insert into apps.deploy_files (deploy_id, path, size, content_type, digest, blob_id)
       values ($1, 'index.html', $2, 'text/html', decode($3, 'hex'), $4)`,
      [deployId, text.length, digest, blobId],
    );
    await query('update apps.apps set active_deploy_id = $2 where id = $1', [appId, deployId]);
    await query(
      `insert into apps.dns_records (subdomain, organization, app_id, state, known_target, known_ttl, changed_at)
       values ($1, $2, $3, 'settled', $4, 60, now() - interval '1 minute')`,
      [app, organization, appId, EDGE],
    );
    await zone.change([{ hostname: `${app}.apps.test`, after: { target: EDGE, ttl: 60 } }], signal);
    return { app, deployId, blobId, key };
  };

  it('finds nothing when database, storage and zone agree', async () => {
    for (let i = 0; i < 5; i += 1) await deployed(`org-${i % 2}`);
    expect(await findings()).toEqual([]);
  });

  it('expects no blob for the rules of a site, which are stored in the database', async () => {
    const { deployId } = await deployed();
    const insert = `insert into apps.deploy_files (deploy_id, path, size, content_type, digest, role, bundle_path)
      values ($1, $2, 5, 'text/plain', decode($3, 'hex'), $4, $2)`;
    for (const path of ['_redirects', '_headers']) await query(insert, [deployId, path, digestOf(path), 'static']);
    expect(await findings()).toEqual([]);
    await query(insert, [deployId, '_headers', digestOf('read by the server'), 'server']);
    expect(await summary()).toEqual([`fault: deploy ${deployId}`]);
  });

  it('names a lost blob with its files, and lets it be uploaded again after a repair', async () => {
    const { key, deployId, blobId } = await deployed();
    await deployed();
    await blobs.remove(key);
    const [first, second] = await findings();
    expect(first).toMatchObject({
      severity: 'fault',
      subject: `blob ${key}`,
      problem: `It is not in the storage. It is index.html of deploy ${deployId}.`,
    });
    expect(second?.problem).toMatch(/^Its variant br is not in the storage/);
    expect(await repair.execute(signal)).toMatchObject({ missingBlobs: 1, removedBlobs: 0 });
    const [{ state }] = await query<[{ state: string }]>('select state from apps.blobs where id = $1', [blobId]);
    expect(state).toBe('removing');
    expect(await summary()).toEqual([`fault: deploy ${deployId}`]);
  });

  it('takes back blobs that a repair gave up, when they are in the storage again', async () => {
    const { key, blobId } = await deployed('northwind', 'page');
    await deployed();
    await blobs.remove(key);
    await repair.execute(signal);
    await blobs.put(key, 'identity', Buffer.from('page'), signal);
    expect(await repair.execute(signal)).toMatchObject({ missingBlobs: 0, foundBlobs: 0 });
    await blobs.put(key, 'br', Buffer.from('br'), signal);
    expect(await repair.execute(signal)).toMatchObject({ missingBlobs: 0, foundBlobs: 1 });
    expect(await findings()).toEqual([]);
    await query(`update apps.blobs set state = 'removing' where id = $1`, [blobId]);
    await query(`update apps.deploys set status = 'archived', archived_at = now()`);
    expect(await repair.execute(signal)).toMatchObject({ foundBlobs: 0 });
  });

  it('removes no blobs when the storage has none that the database knows', async () => {
    const { key } = await deployed();
    const other = blobKey('globex', digestOf('x'), randomUUID());
    await blobs.put(other, 'identity', Buffer.from('x'), signal);
    await blobs.remove(key);
    expect(await repair.execute(signal)).toMatchObject({ missingBlobs: 1, removedBlobs: 0, keptBlobs: 1 });
    expect(blobs.list().map((each) => each.key)).toEqual([other]);
  });

  it('names a blob with another size', async () => {
    const { key } = await deployed();
    await blobs.put(key, 'br', Buffer.from('longer'), signal);
    const [found] = await findings();
    expect(found?.problem).toMatch(/^Its variant br has another size in the storage than recorded\./);
  });

  it('reports blobs that are left over, of known and of unknown organizations, and removes them', async () => {
    const { key } = await deployed();
    const left = ['northwind', 'globex'].map((organization) => blobKey(organization, digestOf('x'), randomUUID()));
    for (const each of left) await blobs.put(each, 'identity', Buffer.from('x'), signal);
    expect((await summary()).sort()).toEqual(left.map((each) => `surplus: blob ${each}`).sort());
    expect(await repair.execute(signal)).toMatchObject({ removedBlobs: 2, keptBlobs: 0 });
    expect(await findings()).toEqual([]);
    expect(blobs.list().map((each) => each.key)).toEqual([key, key]);
  });

  it('keeps blobs that are being stored', async () => {
    const { key, blobId } = await deployed();
    await query(`update apps.blobs set state = 'storing' where id = $1`, [blobId]);
    expect(await repair.execute(signal)).toMatchObject({ removedBlobs: 0 });
    expect(blobs.list().map((each) => each.key)).toEqual([key, key]);
  });

  it('removes no blobs when so many are unknown that the database may be the wrong one', async () => {
    for (let i = 0; i < 101; i += 1) {
      await blobs.put(blobKey('globex', digestOf('x'), randomUUID()), 'identity', Buffer.from('x'), signal);
    }
    expect(await repair.execute(signal)).toMatchObject({ removedBlobs: 0, keptBlobs: 101 });
    expect(blobs.list()).toHaveLength(101);
  });

  it('compares blobs that are recorded and listed between each other', async () => {
    const all = await Promise.all(Array.from({ length: 40 }, () => deployed('northwind')));
    const lost = all.filter((_, i) => i % 3 === 0);
    for (const { key } of lost) await blobs.remove(key);
    const left = Array.from({ length: 20 }, () => blobKey('northwind', digestOf(randomUUID()), randomUUID()));
    for (const key of left) await blobs.put(key, 'gzip' satisfies Encoding, Buffer.from('x'), signal);
    for (const key of left) await blobs.put(key, 'identity', Buffer.from('x'), signal);
    const expected = [...lost.flatMap(({ key }) => [`fault: blob ${key}`, `fault: blob ${key}`])];
    expect((await summary()).sort()).toEqual([...expected, ...left.map((key) => `surplus: blob ${key}`)].sort());
  });

  it('names a deploy whose blob the database does not know, and an app whose live deploy is not ready', async () => {
    const [one, two] = [await deployed(), await deployed()];
    await query('update apps.deploy_files set blob_id = $2 where deploy_id = $1', [one.deployId, randomUUID()]);
    await query(`update apps.deploys set status = 'archived', archived_at = now() where id = $1`, [two.deployId]);
    expect(await summary()).toEqual([`fault: app ${two.app}`, `fault: deploy ${one.deployId}`]);
  });

  it('names records that differ or belong to no app, and repairs them', async () => {
    const { app } = await deployed();
    await zone.change(
      [
        { hostname: `${app}.apps.test`, before: { target: EDGE, ttl: 60 } },
        { hostname: 'orphan.apps.test', after: { target: EDGE, ttl: 60 } },
      ],
      signal,
    );
    expect(await summary()).toEqual([`fault: app ${app}`, 'surplus: DNS record orphan']);
    expect(await repair.execute(signal)).toMatchObject({ restoredRecords: 1, removedRecords: 1, keptRecords: 0 });
    const due = `select subdomain from apps.dns_records where next_attempt_at <= now() order by subdomain`;
    expect(await query(due)).toEqual([{ subdomain: 'orphan' }, { subdomain: app }]);
  });

  it('names variables and certificates that no key opens', async () => {
    const { app } = await deployed();
    const [{ id }] = await query<[{ id: string }]>('select id from apps.apps');
    const set = async (name: string, box: SecretBox) =>
      query(
        `insert into apps.environment_variables (app_id, name, scope, sealed, updated_by) values ($1, $2, 'all', $3, 'ada')`,
        [id, name, box.seal('value', variableContext(id, name, 'all'))],
      );
    await set('READABLE', new SecretBox([KEY]));
    await set('LOST', new SecretBox([LOST_KEY]));
    const certificateId = randomUUID();
    await query(
      `insert into apps.certificates (id, names, chain, sealed_key, not_before, not_after, renew_at, serial)
       values ($1, '{www.example.com}', '', $2, now(), now(), now(), '1')`,
      [certificateId, new SecretBox([LOST_KEY]).seal('key', certificateContext(certificateId))],
    );
    expect(await summary()).toEqual([`fault: variable LOST of app ${app}`, 'fault: certificate www.example.com']);
  });
});
