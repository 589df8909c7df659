import { beforeEach, describe, expect, it } from '@jest/globals';
import { InMemoryAppRepository } from '../../adapters/memory/in-memory-app-repository';
import { InMemoryApps } from '../../adapters/memory/in-memory-apps';
import { InMemoryDnsLedger } from '../../adapters/memory/in-memory-dns-ledger';
import { HostnamePolicy } from '../../domain/hostname-policy';
import { memberOf, newApp } from '../../testing/app-repository.contract';
import { FaultyDnsZone } from '../../testing/faulty-dns-zone';
import { DnsReconciler, requestTimeoutSignal } from './dns-reconciler';
import type { DnsLease } from './dns-ledger.port';
import { DnsFailure } from './dns-zone.port';
import { ZoneWriter } from './zone-writer';

const EDGE = { target: 'edge.test', ttl: 60 };

/** A ledger that tells when it was asked to be woken. */
class RecordingDnsLedger extends InMemoryDnsLedger {
  readonly wakes: number[] = [];

  override async scheduleReconciliation(ms: number): Promise<void> {
    this.wakes.push(ms);
  }
}

describe('DnsReconciler', () => {
  let store: InMemoryApps;
  let zone: FaultyDnsZone;
  let ledger: RecordingDnsLedger;
  let reconciler: DnsReconciler;

  beforeEach(() => {
    store = new InMemoryApps();
    zone = new FaultyDnsZone();
    ledger = new RecordingDnsLedger(store);
    const platform = new HostnamePolicy({ domain: 'apps.test', cdnHostname: 'edge.test', edgePort: 1, reserved: [] });
    reconciler = new DnsReconciler({ ledger, zone, platform, writer: new ZoneWriter(zone) });
  });

  /** Apps that somebody registered, whose claims were given back before anything was sent. */
  const untouched = async (amount: number) => {
    const apps = new InMemoryAppRepository(store);
    for (let i = 0; i < amount; i += 1) await apps.register(memberOf('o'), newApp(), { quota: 100 });
    allDue();
  };
  const allDue = () => {
    for (const record of store.records.values()) store.change(record, { dueAt: 0, token: undefined });
  };

  it('makes what is due, and asks for nothing more', async () => {
    await untouched(3);
    await reconciler.reconcile();
    expect([...store.records.values()].map(({ state }) => state)).toEqual(['settled', 'settled', 'settled']);
    expect(ledger.wakes).toEqual([]);
  });

  it('is woken for every record that is not done, when its own time comes', async () => {
    await untouched(3);
    zone.outage = new DnsFailure('timeout');
    await reconciler.reconcile();
    const due = [...store.records.values()].map(({ dueAt = 0 }) => dueAt);
    expect(ledger.wakes).toHaveLength(3);
    expect(new Set(ledger.wakes).size).toBeGreaterThan(1);
    expect(Math.max(...due)).toBeGreaterThan(Date.now());
  });

  it('asks once for a change that many records wait for', async () => {
    await untouched(5);
    zone.changeId = 'C1';
    await reconciler.reconcile();
    let looks = 0;
    zone.isInSync = async () => ((looks += 1), true);
    allDue();
    await reconciler.reconcile();
    expect([looks, store.records.size]).toEqual([1, 5]);
    expect([...store.records.values()].every(({ state }) => state === 'settled')).toBe(true);
  });

  it.each([
    ['throttled', 'syncing'],
    ['timeout', 'syncing'],
    ['access-denied', 'failed'],
  ] as const)('calls a record %s to look at %s, and neither settled', async (code, state) => {
    await untouched(1);
    zone.changeId = 'C1';
    await reconciler.reconcile();
    zone.isInSync = () => Promise.reject(new DnsFailure(code));
    allDue();
    await reconciler.reconcile();
    expect([...store.records.values()]).toEqual([expect.objectContaining({ state, known: EDGE })]);
  });

  it('removes what nobody wants by now, however far it has come', async () => {
    await untouched(1);
    zone.changeId = 'C1';
    await reconciler.reconcile();
    const [record] = store.records.values();
    if (record) store.change(record, { appId: undefined });
    allDue();
    await reconciler.reconcile();
    expect(store.records.size).toBe(0);
    expect(await zone.targetOf(`${record?.subdomain}.apps.test`)).toBeUndefined();
  });

  it('waits twice as long after every failure, from two seconds', async () => {
    await untouched(1);
    zone.outage = new DnsFailure('timeout');
    for (let failures = 1; failures <= 4; failures += 1) {
      allDue();
      await reconciler.reconcile();
    }
    ledger.wakes.forEach((ms, i) => {
      expect(ms).toBeGreaterThanOrEqual(1_000 * 2 ** i);
      expect(ms).toBeLessThanOrEqual(2_000 * 2 ** i);
    });
    expect(ledger.wakes).toHaveLength(4);
  });

  describe('while a person waits', () => {
    const claimed = async (more: Partial<DnsLease> = {}): Promise<DnsLease> => {
      const { claim } = await new InMemoryAppRepository(store).register(memberOf('o'), newApp('shop'), { quota: 100 });
      if (!claim) throw new Error('a new name has no other claim');
      return { ...claim, ...more };
    };

    it('has what is not over looked after when its time comes', async () => {
      const claim = await claimed();
      await reconciler.recordOutcome(claim, { state: 'failed', error: 'timeout', afterMs: 1_234 });
      expect(ledger.wakes).toEqual([1_234]);
    });

    it('begins nothing when the claim is nearly over, or the person has left', async () => {
      const pending = { state: 'pending', afterMs: 0 };
      expect(await reconciler.apply(await claimed({ endsAt: performance.now() - 1 }), requestTimeoutSignal())).toEqual(
        pending,
      );
      store.apps.clear();
      store.records.clear();
      expect(await reconciler.apply(await claimed(), AbortSignal.abort())).toEqual(pending);
      expect(zone.batches).toEqual([]);
    });

    it('does not call a record failed that stands, because nobody had time to check it', async () => {
      await zone.put('shop.apps.test', EDGE.target);
      const standing = await claimed({ known: EDGE, state: 'settled' });
      const again = { state: 'settled', now: EDGE, afterMs: 5_000 };
      expect(await reconciler.apply(standing, AbortSignal.abort())).toEqual(again);
      zone.outage = new DnsFailure('throttled');
      const soon = { ...standing, endsAt: performance.now() + 20 };
      expect(await reconciler.apply(soon, requestTimeoutSignal())).toEqual(again);
      zone.outage = new DnsFailure('timeout');
      expect(await reconciler.apply(standing, requestTimeoutSignal())).toMatchObject({ state: 'failed' });
    });

    it('gives a record that somebody may still be deleting another time to live', async () => {
      await zone.put('shop.apps.test', EDGE.target);
      const claim = await claimed({ known: EDGE, minTtl: 61 });
      const outcome = await reconciler.apply(claim, requestTimeoutSignal());
      expect(outcome).toEqual({ state: 'settled', now: { ...EDGE, ttl: 61 } });
    });

    it('moves a record that we made to where the distribution is now', async () => {
      const known = { ...EDGE, target: 'old-edge.test' };
      await zone.put('shop.apps.test', known.target);
      expect(await reconciler.apply(await claimed({ known }), requestTimeoutSignal())).toEqual({
        state: 'settled',
        now: EDGE,
      });
    });
  });
});
