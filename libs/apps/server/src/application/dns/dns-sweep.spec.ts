import { beforeEach, describe, expect, it } from '@jest/globals';
import { InMemoryAppRepository } from '../../adapters/memory/in-memory-app-repository';
import { InMemoryApps } from '../../adapters/memory/in-memory-apps';
import { InMemoryDnsLedger } from '../../adapters/memory/in-memory-dns-ledger';
import { PlatformDomain } from '../../domain/platform-domain';
import { memberOf, newApp } from '../../testing/app-repository.contract';
import { UnrulyDnsZone } from '../../testing/unruly-dns-zone';
import { DnsKeeper, requestPatience } from './dns-keeper';
import { DnsSweep } from './dns-sweep';
import { DnsFailure } from './dns-zone.port';
import { ZoneWriter } from './zone-writer';

const EDGE = 'edge.example';
const HOUR_MS = 3_600_000;

describe('DnsSweep', () => {
  let zone: UnrulyDnsZone;
  let store: InMemoryApps;
  let sweep: DnsSweep;
  let keeper: DnsKeeper;
  let wakes: number;

  beforeEach(() => {
    zone = new UnrulyDnsZone();
    store = new InMemoryApps();
    const platform = new PlatformDomain({ domain: 'apps.test', cdnHostname: EDGE, edgePort: 1, reserved: ['status'] });
    const ledger = new InMemoryDnsLedger(store);
    wakes = 0;
    ledger.wakeAfter = async () => void (wakes += 1);
    sweep = new DnsSweep({ ledger, zone, platform });
    keeper = new DnsKeeper({ ledger, zone, platform, writer: new ZoneWriter(zone) });
  });

  /** An app with a record that was settled an hour ago. */
  const settledApp = async (subdomain: string) => {
    const apps = new InMemoryAppRepository(store);
    const { claim } = await apps.register(memberOf('o'), newApp(subdomain), { quota: 1_000 });
    if (!claim) throw new Error('a new name has no other claim');
    await keeper.settle(claim, await keeper.work(claim, requestPatience()));
    const record = store.records.get(subdomain);
    if (record) store.records.set(subdomain, { ...record, changedAt: Date.now() - HOUR_MS });
  };
  const targets = async (...names: readonly string[]) =>
    Promise.all(names.map((name) => zone.targetOf(`${name}.apps.test`)));

  it('finds nothing where nothing is wrong', async () => {
    await settledApp('fine');
    expect(await sweep.run()).toEqual({ seen: 1, ours: 1, drifted: [], orphaned: [], isHeldBack: false });
  });

  it('mends records that others removed or changed, as far as they are ours', async () => {
    for (const name of ['gone', 'bent', 'fine']) await settledApp(name);
    await zone.drop('gone.apps.test');
    await zone.put('bent.apps.test', 'stranger.example');
    expect(await sweep.run()).toMatchObject({ drifted: ['gone', 'bent'], orphaned: [] });
    await keeper.reconcile();
    expect(await targets('gone', 'bent', 'fine')).toEqual([EDGE, 'stranger.example', EDGE]);
    expect(store.dnsOf('bent')).toMatchObject({ state: 'failed', error: 'foreign-record' });
  });

  it('removes records of ours that belong to no app, and nobody else’s', async () => {
    await settledApp('fine');
    await zone.put('orphan.apps.test', EDGE);
    await zone.put('mail.apps.test', 'mail.example');
    await zone.put('deep.below.apps.test', EDGE);
    await zone.put('elsewhere.test', EDGE);
    wakes = 0;
    expect(await sweep.run()).toEqual({ seen: 3, ours: 2, drifted: [], orphaned: ['orphan'], isHeldBack: false });
    expect(wakes).toBe(1);
    await keeper.reconcile();
    expect(await targets('orphan', 'mail', 'fine', 'deep.below')).toEqual([undefined, 'mail.example', EDGE, EDGE]);
  });

  it('leaves alone what no app can have, wherever it points', async () => {
    for (const name of ['*', 'www', 'status', 'ab', '_acme']) await zone.put(`${name}.apps.test`, EDGE);
    expect(await sweep.run()).toMatchObject({ seen: 5, ours: 0, orphaned: [] });
    await keeper.reconcile();
    expect(await targets('*', 'www', 'status', 'ab', '_acme')).toEqual([EDGE, EDGE, EDGE, EDGE, EDGE]);
  });

  it('does not remove a record that an app wants by the time its turn comes', async () => {
    await zone.put('orphan.apps.test', EDGE);
    await sweep.run();
    await settledApp('orphan');
    await keeper.reconcile();
    expect(await targets('orphan')).toEqual([EDGE]);
  });

  it('finds the one orphan among more records than it asks for at once', async () => {
    for (let i = 0; i < 501; i += 1) await settledApp(`app-${i}`);
    await zone.put('orphan.apps.test', EDGE);
    expect(await sweep.run()).toMatchObject({ ours: 502, drifted: [], orphaned: ['orphan'], isHeldBack: false });
  });

  it('does not miss a record that was made while the zone was read', async () => {
    zone.records = async function* () {
      yield* [];
      const { claim } = await new InMemoryAppRepository(store).register(memberOf('o'), newApp('young'), { quota: 100 });
      if (claim) await keeper.settle(claim, await keeper.work(claim, requestPatience()));
    };
    expect(await sweep.run()).toMatchObject({ seen: 0, drifted: [] });
    expect(store.dnsOf('young')).toMatchObject({ state: 'settled' });
  });

  it('refuses to remove too many at once', async () => {
    for (let i = 0; i < 20; i += 1) await settledApp(`app-${i}`);
    for (let i = 0; i < 10; i += 1) await zone.put(`orphan-${i}.apps.test`, EDGE);
    const report = await sweep.run();
    expect([report.orphaned.length, report.isHeldBack]).toEqual([10, true]);
    await keeper.reconcile();
    expect(await targets('orphan-0', 'orphan-9')).toEqual([EDGE, EDGE]);
  });

  it('removes a few, whatever their share', async () => {
    for (let i = 0; i < 9; i += 1) await zone.put(`orphan-${i}.apps.test`, EDGE);
    expect(await sweep.run()).toMatchObject({ isHeldBack: false });
  });

  it('changes nothing when the zone cannot be read', async () => {
    await settledApp('fine');
    zone.records = async function* () {
      yield* [];
      throw new DnsFailure('provider-unavailable');
    };
    await expect(sweep.run()).rejects.toBeInstanceOf(DnsFailure);
    expect(store.dnsOf('fine')).toMatchObject({ state: 'settled' });
  });
});
