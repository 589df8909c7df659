import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { DatabaseUnavailable, InvalidRequest } from '@homeport/kernel';
import { InMemoryAppRepository } from '../adapters/memory/in-memory-app-repository';
import { InMemoryApps } from '../../shared/adapters/memory/in-memory-apps';
import { InMemoryAppsUnitOfWork } from '../../shared/adapters/memory/in-memory-apps-unit-of-work';
import { InMemoryDnsLedger } from '../../dns/adapters/memory/in-memory-dns-ledger';
import { InMemoryIdempotencyKeys } from '../adapters/memory/in-memory-idempotency-keys';
import { InMemoryFormerOwnerRepository } from '../adapters/memory/in-memory-former-owner-repository';
import { HostnamePolicy } from '../../shared/domain/hostname-policy';
import { AppQuota } from '../domain/app-quota';
import {
  AppNotFound,
  AppQuotaExceeded,
  SubdomainInvalid,
  SubdomainReserved,
  SubdomainTaken,
} from '../domain/apps.errors';
import { FaultyDnsZone } from '../../testing/faulty-dns-zone';
import { DnsReconciler } from '../../dns/application/dns-reconciler';
import { DnsFailure, RecordConflict } from '../../dns/application/dns-zone.port';
import { AppPresenter } from '../../shared/application/app-presenter';
import { AppCatalog, MAX_APPS_BY_DEFAULT } from './app-catalog';
import { DeleteApp } from './delete-app';
import { RegisterApp } from './register-app';
import { RetryDns } from './retry-dns';

const ada = { issuer: 'https://issuer.example', subject: 'ada', organization: 'northwind' };
const hank = { issuer: 'https://issuer.example', subject: 'hank', organization: 'globex' };
const HOST = 'my-shop.apps.example.com';
const newRequest = (name: string) => ({ name, type: 'static' as const });

describe('The use cases of apps', () => {
  let zone: FaultyDnsZone;
  let registerApp: RegisterApp;
  let deleteApp: DeleteApp;
  let retryDns: RetryDns;
  let catalog: AppCatalog;
  let reconciler: DnsReconciler;
  let ledger: InMemoryDnsLedger;
  let store: InMemoryApps;

  beforeEach(() => {
    zone = new FaultyDnsZone();
    store = new InMemoryApps();
    const hostnames = new HostnamePolicy({
      domain: 'apps.example.com',
      cdnHostname: 'edge.apps.example.com',
      edgePort: 8080,
      reserved: ['status'],
    });
    ledger = new InMemoryDnsLedger(store);
    reconciler = new DnsReconciler({ ledger, zone, hostnames });
    const tools = {
      unitOfWork: new InMemoryAppsUnitOfWork(store),
      apps: new InMemoryAppRepository(store),
      formerOwners: new InMemoryFormerOwnerRepository(store),
      dns: reconciler,
      hostnames,
      presenter: new AppPresenter(hostnames),
      quarantine: { days: 0, maxNames: 1 },
    };
    registerApp = new RegisterApp({ ...tools, quota: new AppQuota(3) });
    deleteApp = new DeleteApp(tools);
    retryDns = new RetryDns(tools);
    catalog = new AppCatalog(tools);
  });

  /** Makes all records due, and reconciles them. */
  const later = async () => {
    for (const record of store.records.values()) if (record.dueAt !== undefined) store.change(record, { dueAt: 0 });
    await reconciler.reconcile();
  };

  it('registers an app and points its name at the distribution', async () => {
    const app = await registerApp.execute(ada, newRequest(' My Shop '));
    expect(app).toMatchObject({
      name: 'My Shop',
      subdomain: 'my-shop',
      hostname: HOST,
      url: `https://${HOST}`,
      type: 'static',
      deploy_count: 0,
      dns_status: 'dns-active',
      active_deploy_id: null,
    });
    expect(app).not.toHaveProperty('dns_error');
    expect(new Date(app.created_at).toISOString()).toBe(app.created_at);
    expect(await zone.targetOf(HOST)).toBe('edge.apps.example.com');
  });

  it('handles a name with a million spaces quickly', async () => {
    // With quadratic time this would take most of an hour.
    const spaces = ' '.repeat(1_000_000);
    await expect(registerApp.execute(ada, newRequest(`a${spaces}b`))).rejects.toBeInstanceOf(InvalidRequest);
    expect(await registerApp.execute(ada, newRequest(`${spaces}My Shop${spaces}`))).toMatchObject({ name: 'My Shop' });
  });

  it('reports a record as pending until it is visible everywhere', async () => {
    zone.changeId = 'C1';
    const app = await registerApp.execute(ada, newRequest('My Shop'));
    expect(app.dns_status).toBe('dns-pending');
    await later();
    expect(await catalog.get(ada, app.id)).toMatchObject({ dns_status: 'dns-pending' });
    zone.changeId = 'C2';
    await later();
    expect(await catalog.get(ada, app.id)).toMatchObject({ dns_status: 'dns-active' });
  });

  it('keeps the app when its DNS record fails, and retries automatically', async () => {
    zone.outage = new DnsFailure('provider-unavailable');
    const app = await registerApp.execute(ada, newRequest('My Shop'));
    expect(app).toMatchObject({
      dns_status: 'dns-failed',
      dns_error: { code: 'provider-unavailable', retryable: true, attempts: 1, next_attempt_at: expect.any(String) },
    });
    await later();
    expect(await catalog.get(ada, app.id)).toMatchObject({ dns_error: { attempts: 2 } });
    zone.outage = undefined;
    await later();
    const healed = await catalog.get(ada, app.id);
    expect(healed).toMatchObject({ dns_status: 'dns-active' });
    expect(healed).not.toHaveProperty('dns_error');
    expect(await zone.targetOf(HOST)).toBe('edge.apps.example.com');
  });

  it('waits for a manual retry after a permanent failure', async () => {
    await zone.put(HOST, 'stranger.example');
    const app = await registerApp.execute(ada, newRequest('My Shop'));
    expect(app).toMatchObject({
      dns_status: 'dns-failed',
      dns_error: { code: 'foreign-record', retryable: false, attempts: 1, next_attempt_at: null },
    });
    await later();
    expect(await retryDns.execute(ada, app.id)).toMatchObject({ dns_error: { attempts: 2 } });
    expect(await zone.targetOf(HOST)).toBe('stranger.example');
    await zone.drop(HOST);
    expect(await retryDns.execute(ada, app.id)).toMatchObject({ dns_status: 'dns-active' });
  });

  it('checks an active record again on request', async () => {
    const app = await registerApp.execute(ada, newRequest('My Shop'));
    await zone.drop(HOST);
    expect(await retryDns.execute(ada, app.id)).toMatchObject({ dns_status: 'dns-active' });
    expect(await zone.targetOf(HOST)).toBe('edge.apps.example.com');
  });

  it('reports an unknown error as an unavailable provider', async () => {
    zone.outage = new TypeError('broken');
    expect(await registerApp.execute(ada, newRequest('My Shop'))).toMatchObject({
      dns_status: 'dns-failed',
      dns_error: { code: 'provider-unavailable' },
    });
  });

  it('rejects names without a valid subdomain', async () => {
    await expect(registerApp.execute(ada, newRequest('ab'))).rejects.toBeInstanceOf(SubdomainInvalid);
    await expect(registerApp.execute(ada, newRequest('Dashboard'))).rejects.toBeInstanceOf(SubdomainReserved);
    await expect(registerApp.execute(ada, newRequest('status'))).rejects.toBeInstanceOf(SubdomainReserved);
    await expect(registerApp.execute(ada, newRequest('edge'))).rejects.toBeInstanceOf(SubdomainReserved);
    expect((await catalog.list(ada, {})).items).toEqual([]);
  });

  it('reports the availability of a name', async () => {
    await registerApp.execute(ada, newRequest('My Shop'));
    const answers = await Promise.all(
      ['My Shop', 'New Shop', 'ab', ' Admin '].map((name) => catalog.availability(hank, name)),
    );
    expect(answers).toEqual([
      { candidate: 'My Shop', subdomain: 'my-shop', available: false, reason: 'taken' },
      { candidate: 'New Shop', subdomain: 'new-shop', available: true, reason: null },
      { candidate: 'ab', subdomain: 'ab', available: false, reason: 'invalid' },
      { candidate: ' Admin ', subdomain: 'admin', available: false, reason: 'reserved' },
    ]);
  });

  it('trims names, and accepts up to 200 characters', async () => {
    const longest = `a${' '.repeat(198)}b`;
    expect(await registerApp.execute(ada, newRequest(`  ${longest}  `))).toMatchObject({
      name: longest,
      subdomain: 'a-b',
    });
    await expect(registerApp.execute(ada, newRequest(`c${' '.repeat(199)}d`))).rejects.toBeInstanceOf(InvalidRequest);
  });

  it('links the idempotency key to the app', async () => {
    const keys = new InMemoryIdempotencyKeys(store);
    const request = { organization: ada.organization, key: 'k', fingerprint: 'A' };
    await keys.begin(request);
    const { id } = await registerApp.execute(ada, { ...newRequest('My Shop'), idempotencyKey: 'k' });
    expect([...store.idempotencyKeys.values()]).toEqual([{ fingerprint: 'A', appId: id }]);
  });

  it('returns the app when the database becomes unavailable after the registration', async () => {
    ledger.recordOutcome = () => Promise.reject(new DatabaseUnavailable());
    expect(await registerApp.execute(ada, newRequest('My Shop'))).toMatchObject({ dns_status: 'dns-pending' });
    ledger.recordOutcome = () => Promise.reject(new TypeError('broken'));
    await expect(registerApp.execute(ada, newRequest('Other Shop'))).rejects.toThrow('broken');
  });

  it('waits briefly for a lease on the record', async () => {
    const app = await registerApp.execute(ada, newRequest('My Shop'));
    const acquire = jest.spyOn(InMemoryDnsLedger.prototype, 'acquireLease');
    for (let refusals = 0; refusals < 2; refusals += 1) acquire.mockResolvedValueOnce(undefined);
    expect(await deleteApp.execute(ada, app.id)).toMatchObject({ dns: 'deleted' });
    expect(acquire).toHaveBeenCalledTimes(3);
    acquire.mockRestore();
  });

  it('uses one timeout for waiting for the lease and for the zone', async () => {
    const app = await registerApp.execute(ada, newRequest('My Shop'));
    const made = zone.batches.length;
    const timeLimit = new AbortController();
    const timeout = jest.spyOn(AbortSignal, 'timeout').mockReturnValue(timeLimit.signal);
    const { acquireLease } = InMemoryDnsLedger.prototype;
    const acquire = jest.spyOn(InMemoryDnsLedger.prototype, 'acquireLease').mockImplementation(function (
      this: InMemoryDnsLedger,
      appId,
    ) {
      timeLimit.abort();
      return acquireLease.call(this, appId);
    });
    const answers = [await retryDns.execute(ada, app.id), await deleteApp.execute(ada, app.id)];
    for (const mock of [timeout, acquire]) mock.mockRestore();
    expect(answers).toMatchObject([{ dns_status: 'dns-active' }, { dns: 'dangling' }]);
    expect(zone.batches).toHaveLength(made);
    await later();
    expect(await zone.targetOf(HOST)).toBeUndefined();
  });

  it('registers a subdomain only once', async () => {
    await registerApp.execute(ada, newRequest('My Shop'));
    await expect(registerApp.execute(hank, newRequest('my shop'))).rejects.toBeInstanceOf(SubdomainTaken);
    await expect(registerApp.execute(ada, newRequest('MY-SHOP'))).rejects.toBeInstanceOf(SubdomainTaken);
  });

  it('limits the number of apps of an organization', async () => {
    for (const name of ['one', 'two', 'three']) await registerApp.execute(ada, newRequest(name));
    await expect(registerApp.execute(ada, newRequest('four'))).rejects.toBeInstanceOf(AppQuotaExceeded);
    await registerApp.execute(hank, newRequest('four'));
  });

  it('lists in pages on request', async () => {
    for (const name of ['one', 'two', 'three']) await registerApp.execute(ada, newRequest(name));
    const first = await catalog.list(ada, { limit: 2 });
    expect(first.items.map(({ name }) => name)).toEqual(['three', 'two']);
    const second = await catalog.list(ada, { limit: 2, cursor: first.next_cursor ?? '' });
    expect([second.items.map(({ name }) => name), second.next_cursor]).toEqual([['one'], null]);
    for (const cursor of ['', 'nonsense', `${first.next_cursor}=`, Buffer.from('1.x').toString('base64url')]) {
      await expect(catalog.list(ada, { cursor })).rejects.toMatchObject({ code: 'platform.invalid-request' });
    }
  });

  it('limits the list even without a quota', async () => {
    const { id } = await registerApp.execute(ada, newRequest('one'));
    const app = store.apps.get(id)!;
    for (let i = 0; i < MAX_APPS_BY_DEFAULT; i += 1) store.apps.set(`copy ${i}`, { ...app, id: `copy ${i}` });
    const { items, next_cursor } = await catalog.list(ada, {});
    expect([items.length, next_cursor]).toEqual([MAX_APPS_BY_DEFAULT, expect.any(String)]);
  });

  it('shows and changes only the apps of the organization', async () => {
    const app = await registerApp.execute(ada, newRequest('My Shop'));
    expect((await catalog.list(hank, {})).items).toEqual([]);
    await expect(catalog.get(hank, app.id)).rejects.toBeInstanceOf(AppNotFound);
    await expect(retryDns.execute(hank, app.id)).rejects.toBeInstanceOf(AppNotFound);
    await expect(deleteApp.execute(hank, app.id)).rejects.toBeInstanceOf(AppNotFound);
    expect(await catalog.get(ada, app.id)).toEqual(app);
  });

  it('deletes the DNS record and then the app', async () => {
    const app = await registerApp.execute(ada, newRequest('My Shop'));
    expect(await deleteApp.execute(ada, app.id)).toEqual({
      id: app.id,
      deleted: true,
      dns: 'deleted',
      archived_deploys: 0,
    });
    expect(await zone.targetOf(HOST)).toBeUndefined();
    await expect(deleteApp.execute(ada, app.id)).rejects.toBeInstanceOf(AppNotFound);
    await registerApp.execute(hank, newRequest('My Shop'));
  });

  it('deletes the app even if its record stays, and reserves the name until the record is removed', async () => {
    const app = await registerApp.execute(ada, newRequest('My Shop'));
    zone.outage = new DnsFailure('access-denied');
    expect(await deleteApp.execute(ada, app.id)).toMatchObject({ dns: 'dangling' });
    await later();
    await expect(registerApp.execute(hank, newRequest('My Shop'))).rejects.toBeInstanceOf(SubdomainTaken);
    zone.outage = undefined;
    await later();
    expect(await zone.targetOf(HOST)).toBeUndefined();
    expect(await registerApp.execute(hank, newRequest('My Shop'))).toMatchObject({ dns_status: 'dns-active' });
  });

  it('does not remove the record of a new app with the same name', async () => {
    const app = await registerApp.execute(ada, newRequest('My Shop'));
    zone.outage = new DnsFailure('timeout');
    await deleteApp.execute(ada, app.id);
    const again = await registerApp.execute(ada, newRequest('My Shop'));
    expect(again).toMatchObject({ dns_status: 'dns-failed' });
    zone.outage = undefined;
    await later();
    await later();
    expect(await catalog.get(ada, again.id)).toMatchObject({ dns_status: 'dns-active' });
    expect(await zone.targetOf(HOST)).toBe('edge.apps.example.com');
  });

  it('prevents a late removal from matching the record of the next owner', async () => {
    const app = await registerApp.execute(ada, newRequest('My Shop'));
    zone.outage = new DnsFailure('timeout');
    await deleteApp.execute(ada, app.id);
    const late = zone.batches.at(-1) ?? [];
    zone.outage = undefined;
    await later();
    const next = await registerApp.execute(hank, newRequest('My Shop'));
    await expect(zone.change(late, AbortSignal.timeout(60_000))).rejects.toBeInstanceOf(RecordConflict);
    expect(await catalog.get(hank, next.id)).toMatchObject({ dns_status: 'dns-active' });
    expect(await zone.targetOf(HOST)).toBe('edge.apps.example.com');
  });

  it('removes a record that a late change created for a deleted app', async () => {
    zone.setbacks.push(new DnsFailure('timeout'));
    const app = await registerApp.execute(ada, newRequest('My Shop'));
    expect(await deleteApp.execute(ada, app.id)).toMatchObject({ dns: 'deleted' });
    await zone.put(HOST, 'edge.apps.example.com');
    await later();
    expect(await zone.targetOf(HOST)).toBeUndefined();
  });

  it('recreates the record of an app whose deletion was interrupted', async () => {
    const app = await registerApp.execute(ada, newRequest('My Shop'));
    const record = store.records.get('my-shop');
    // The record is removed, and then the process dies.
    store.acquireLease(record as NonNullable<typeof record>, true);
    await zone.drop(HOST);
    await later();
    expect(await catalog.get(ada, app.id)).toMatchObject({ dns_status: 'dns-active' });
    expect(await zone.targetOf(HOST)).toBe('edge.apps.example.com');
  });
});
