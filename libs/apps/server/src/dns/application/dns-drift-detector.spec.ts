import { beforeEach, describe, expect, it } from '@jest/globals';
import { InMemoryApps } from '../../shared/adapters/memory/in-memory-apps';
import { InMemoryDnsLedger } from '../adapters/memory/in-memory-dns-ledger';
import { HostnamePolicy } from '../../shared/domain/hostname-policy';
import { AppFixture, memberOf, newApp } from '../../testing/app-fixture';
import { FaultyDnsZone } from '../../testing/faulty-dns-zone';
import { DnsReconciler, requestTimeoutSignal } from './dns-reconciler';
import { DnsDriftDetector } from './dns-drift-detector';
import { DnsFailure } from './dns-zone.port';

const EDGE = 'edge.example';
const HOUR_MS = 3_600_000;

describe('DnsDriftDetector', () => {
  let zone: FaultyDnsZone;
  let store: InMemoryApps;
  let detector: DnsDriftDetector;
  let reconciler: DnsReconciler;
  let schedules: number;

  beforeEach(() => {
    zone = new FaultyDnsZone();
    store = new InMemoryApps();
    const hostnames = new HostnamePolicy({ domain: 'apps.test', cdnHostname: EDGE, edgePort: 1, reserved: ['status'] });
    const ledger = new InMemoryDnsLedger(store);
    schedules = 0;
    ledger.scheduleReconciliation = async () => void (schedules += 1);
    detector = new DnsDriftDetector({ ledger, zone, hostnames });
    reconciler = new DnsReconciler({ ledger, zone, hostnames });
  });

  /** An app whose record has been in sync for an hour. */
  const settledApp = async (subdomain: string) => {
    const { lease } = await AppFixture.inMemory(store).register(memberOf('o'), newApp(subdomain));
    if (!lease) throw new Error('a new name must have no other lease');
    await reconciler.recordOutcome(lease, await reconciler.apply(lease, requestTimeoutSignal()));
    const record = store.records.get(subdomain);
    if (record) store.records.set(subdomain, { ...record, changedAt: Date.now() - HOUR_MS });
  };
  const targets = async (...names: readonly string[]) =>
    Promise.all(names.map((name) => zone.targetOf(`${name}.apps.test`)));

  it('finds nothing when the zone matches the ledger', async () => {
    await settledApp('fine');
    expect(await detector.run()).toEqual({ seen: 1, managed: 1, drifted: [], orphaned: [], isRemovalHalted: false });
  });

  it('restores removed records, and reports records that others changed', async () => {
    for (const name of ['gone', 'bent', 'fine']) await settledApp(name);
    await zone.drop('gone.apps.test');
    await zone.put('bent.apps.test', 'stranger.example');
    expect(await detector.run()).toMatchObject({ drifted: ['gone', 'bent'], orphaned: [] });
    await reconciler.reconcile();
    expect(await targets('gone', 'bent', 'fine')).toEqual([EDGE, 'stranger.example', EDGE]);
    expect(store.dnsOf('bent')).toMatchObject({ state: 'failed', error: 'foreign-record' });
  });

  it('removes managed records that belong to no app, and no foreign records', async () => {
    await settledApp('fine');
    await zone.put('orphan.apps.test', EDGE);
    await zone.put('mail.apps.test', 'mail.example');
    await zone.put('deep.below.apps.test', EDGE);
    await zone.put('elsewhere.test', EDGE);
    schedules = 0;
    expect(await detector.run()).toEqual({
      seen: 3,
      managed: 2,
      drifted: [],
      orphaned: ['orphan'],
      isRemovalHalted: false,
    });
    expect(schedules).toBe(1);
    await reconciler.reconcile();
    expect(await targets('orphan', 'mail', 'fine', 'deep.below')).toEqual([undefined, 'mail.example', EDGE, EDGE]);
  });

  it('ignores names that no app can have, wherever they point', async () => {
    for (const name of ['*', 'www', 'status', 'ab', '_acme']) await zone.put(`${name}.apps.test`, EDGE);
    expect(await detector.run()).toMatchObject({ seen: 5, managed: 0, orphaned: [] });
    await reconciler.reconcile();
    expect(await targets('*', 'www', 'status', 'ab', '_acme')).toEqual([EDGE, EDGE, EDGE, EDGE, EDGE]);
  });

  it('does not remove a record that an app needs by then', async () => {
    await zone.put('orphan.apps.test', EDGE);
    await detector.run();
    await settledApp('orphan');
    await reconciler.reconcile();
    expect(await targets('orphan')).toEqual([EDGE]);
  });

  it('finds an orphan among more records than fit into a batch', async () => {
    for (let i = 0; i < 501; i += 1) await settledApp(`app-${i}`);
    await zone.put('orphan.apps.test', EDGE);
    expect(await detector.run()).toMatchObject({
      managed: 502,
      drifted: [],
      orphaned: ['orphan'],
      isRemovalHalted: false,
    });
  });

  it('does not report a record that was created while the zone was read', async () => {
    zone.records = async function* () {
      yield* [];
      const { lease } = await AppFixture.inMemory(store).register(memberOf('o'), newApp('young'));
      if (lease) await reconciler.recordOutcome(lease, await reconciler.apply(lease, requestTimeoutSignal()));
    };
    expect(await detector.run()).toMatchObject({ seen: 0, drifted: [] });
    expect(store.dnsOf('young')).toMatchObject({ state: 'settled' });
  });

  it('does not remove too many records at once', async () => {
    for (let i = 0; i < 20; i += 1) await settledApp(`app-${i}`);
    for (let i = 0; i < 10; i += 1) await zone.put(`orphan-${i}.apps.test`, EDGE);
    const report = await detector.run();
    expect([report.orphaned.length, report.isRemovalHalted]).toEqual([10, true]);
    await reconciler.reconcile();
    expect(await targets('orphan-0', 'orphan-9')).toEqual([EDGE, EDGE]);
  });

  it('removes a few records regardless of their share', async () => {
    for (let i = 0; i < 9; i += 1) await zone.put(`orphan-${i}.apps.test`, EDGE);
    expect(await detector.run()).toMatchObject({ isRemovalHalted: false });
  });

  it('changes nothing when the zone cannot be read', async () => {
    await settledApp('fine');
    zone.records = async function* () {
      yield* [];
      throw new DnsFailure('provider-unavailable');
    };
    await expect(detector.run()).rejects.toBeInstanceOf(DnsFailure);
    expect(store.dnsOf('fine')).toMatchObject({ state: 'settled' });
  });
});
