import { beforeEach, describe, expect, it } from '@jest/globals';
import { InMemoryAppRepository } from '../adapters/memory/in-memory-app-repository';
import { InMemoryApps } from '../adapters/memory/in-memory-apps';
import { InMemoryDnsLedger } from '../adapters/memory/in-memory-dns-ledger';
import { PlatformDomain } from '../domain/platform-domain';
import { memberOf, newApp } from '../testing/app-repository.contract';
import { UnrulyDnsZone } from '../testing/unruly-dns-zone';
import { DnsKeeper } from './dns-keeper';
import { DnsFailure } from './dns-zone.port';
import { ZoneWriter } from './zone-writer';

/** A ledger that tells when it was asked to be woken. */
class WatchedLedger extends InMemoryDnsLedger {
  readonly wakes: number[] = [];

  override async wakeAfter(ms: number): Promise<void> {
    this.wakes.push(ms);
  }
}

describe('DnsKeeper', () => {
  let store: InMemoryApps;
  let zone: UnrulyDnsZone;
  let ledger: WatchedLedger;
  let keeper: DnsKeeper;

  beforeEach(() => {
    store = new InMemoryApps();
    zone = new UnrulyDnsZone();
    ledger = new WatchedLedger(store);
    const platform = new PlatformDomain({ domain: 'apps.test', cdnHostname: 'edge.test', edgePort: 1, reserved: [] });
    keeper = new DnsKeeper({ ledger, zone, platform, writer: new ZoneWriter(zone) });
  });

  /** Apps that somebody registered, and whose process died before it could make the records. */
  const abandoned = async (amount: number) => {
    const apps = new InMemoryAppRepository(store);
    for (let i = 0; i < amount; i += 1) await apps.register(memberOf('o'), newApp(), { quota: 100 });
    for (const record of store.records.values()) store.change(record, { dueAt: 0 });
  };

  it('makes what is due, and asks for nothing more', async () => {
    await abandoned(3);
    await keeper.reconcile();
    expect([...store.records.values()].map(({ state }) => state)).toEqual(['settled', 'settled', 'settled']);
    expect(ledger.wakes).toEqual([]);
  });

  it('is woken for every record that is not done, when its own time comes', async () => {
    await abandoned(3);
    zone.outage = new DnsFailure('timeout');
    await keeper.reconcile();
    const due = [...store.records.values()].map(({ dueAt = 0 }) => dueAt);
    expect(ledger.wakes).toHaveLength(3);
    expect(new Set(ledger.wakes).size).toBeGreaterThan(1);
    expect(Math.max(...due)).toBeGreaterThan(Date.now());
  });

  it('asks once for a change that many records wait for', async () => {
    await abandoned(5);
    zone.changeId = 'C1';
    await keeper.reconcile();
    let looks = 0;
    zone.isInSync = async () => ((looks += 1), true);
    for (const record of store.records.values()) store.change(record, { dueAt: 0 });
    await keeper.reconcile();
    expect([looks, store.records.size]).toEqual([1, 5]);
    expect([...store.records.values()].every(({ state }) => state === 'settled')).toBe(true);
  });
});
