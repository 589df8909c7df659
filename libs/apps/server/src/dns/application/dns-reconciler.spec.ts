import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { InMemoryApps } from '../../shared/adapters/memory/in-memory-apps';
import { InMemoryDnsLedger } from '../adapters/memory/in-memory-dns-ledger';
import { HostnamePolicy } from '../../shared/domain/hostname-policy';
import { AppFixture, memberOf, newApp } from '../../testing/app-fixture';
import { FaultyDnsZone } from '../../testing/faulty-dns-zone';
import { DnsReconciler, requestTimeoutSignal } from './dns-reconciler';
import type { DnsLease } from './dns-ledger.port';
import { DnsFailure } from './dns-zone.port';

const EDGE = { target: 'edge.test', ttl: 60 };

/** A ledger that records the delays of scheduled reconciliations. */
class RecordingDnsLedger extends InMemoryDnsLedger {
  readonly delays: number[] = [];

  override async scheduleReconciliation(ms: number): Promise<void> {
    this.delays.push(ms);
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
    const hostnames = new HostnamePolicy({ domain: 'apps.test', cdnHostname: 'edge.test', edgePort: 1, reserved: [] });
    reconciler = new DnsReconciler({ ledger, zone, hostnames });
  });

  /** Registers apps whose leases were released before a change was sent. */
  const registerPending = async (amount: number) => {
    const registry = AppFixture.inMemory(store);
    for (let i = 0; i < amount; i += 1) await registry.register(memberOf('o'));
    allDue();
  };
  const allDue = () => {
    for (const record of store.records.values()) store.change(record, { dueAt: 0, token: undefined });
  };

  it('creates due records, and schedules nothing afterwards', async () => {
    await registerPending(3);
    await reconciler.reconcile();
    expect([...store.records.values()].map(({ state }) => state)).toEqual(['settled', 'settled', 'settled']);
    expect(ledger.delays).toEqual([]);
  });

  it('schedules a reconciliation for each unfinished record at its due time', async () => {
    await registerPending(3);
    zone.outage = new DnsFailure('timeout');
    await reconciler.reconcile();
    const due = [...store.records.values()].map(({ dueAt = 0 }) => dueAt);
    expect(ledger.delays).toHaveLength(3);
    expect(new Set(ledger.delays).size).toBeGreaterThan(1);
    expect(Math.max(...due)).toBeGreaterThan(Date.now());
  });

  it('checks a change once for all records that wait for it', async () => {
    await registerPending(5);
    zone.changeId = 'C1';
    await reconciler.reconcile();
    let checks = 0;
    zone.isInSync = async () => ((checks += 1), true);
    allDue();
    await reconciler.reconcile();
    expect([checks, store.records.size]).toEqual([1, 5]);
    expect([...store.records.values()].every(({ state }) => state === 'settled')).toBe(true);
  });

  it.each([
    ['throttled', 'syncing'],
    ['timeout', 'syncing'],
    ['access-denied', 'failed'],
  ] as const)('after the check failed with %s, sets the state %s', async (code, state) => {
    await registerPending(1);
    zone.changeId = 'C1';
    await reconciler.reconcile();
    zone.isInSync = () => Promise.reject(new DnsFailure(code));
    allDue();
    await reconciler.reconcile();
    expect([...store.records.values()]).toEqual([expect.objectContaining({ state, known: EDGE })]);
  });

  it('removes a record that no app needs, in any state', async () => {
    await registerPending(1);
    zone.changeId = 'C1';
    await reconciler.reconcile();
    const [record] = store.records.values();
    if (record) store.change(record, { appId: undefined });
    allDue();
    await reconciler.reconcile();
    expect(store.records.size).toBe(0);
    expect(await zone.targetOf(`${record?.subdomain}.apps.test`)).toBeUndefined();
  });

  it('doubles the delay after every failure, starting at two seconds', async () => {
    await registerPending(1);
    zone.outage = new DnsFailure('timeout');
    for (let failures = 1; failures <= 4; failures += 1) {
      allDue();
      await reconciler.reconcile();
    }
    ledger.delays.forEach((ms, i) => {
      expect(ms).toBeGreaterThanOrEqual(1_000 * 2 ** i);
      expect(ms).toBeLessThanOrEqual(2_000 * 2 ** i);
    });
    expect(ledger.delays).toHaveLength(4);
  });

  describe('while a request waits', () => {
    const leased = async (more: Partial<DnsLease> = {}): Promise<DnsLease> => {
      const { lease } = await AppFixture.inMemory(store).register(memberOf('o'), newApp('shop'));
      if (!lease) throw new Error('a new name must have no other lease');
      return { ...lease, ...more };
    };

    it('schedules a reconciliation for an unfinished record', async () => {
      const lease = await leased();
      await reconciler.recordOutcome(lease, { state: 'failed', error: 'timeout', afterMs: 1_234 });
      expect(ledger.delays).toEqual([1_234]);
    });

    it('sends nothing shortly before the lease ends, or after the client has disconnected', async () => {
      const pending = { state: 'pending', afterMs: 0 };
      expect(
        await reconciler.apply(await leased({ sendDeadline: performance.now() - 1 }), requestTimeoutSignal()),
      ).toEqual(pending);
      store.apps.clear();
      store.records.clear();
      expect(await reconciler.apply(await leased(), AbortSignal.abort())).toEqual(pending);
      expect(zone.batches).toEqual([]);
    });

    it('keeps an active record settled when there was no time to check it', async () => {
      await zone.put('shop.apps.test', EDGE.target);
      const active = await leased({ known: EDGE, state: 'settled' });
      const again = { state: 'settled', record: EDGE, afterMs: 5_000 };
      expect(await reconciler.apply(active, AbortSignal.abort())).toEqual(again);
      zone.outage = new DnsFailure('throttled');
      const soon = { ...active, sendDeadline: performance.now() + 20 };
      expect(await reconciler.apply(soon, requestTimeoutSignal())).toEqual(again);
      zone.outage = new DnsFailure('timeout');
      expect(await reconciler.apply(active, requestTimeoutSignal())).toMatchObject({ state: 'failed' });
    });

    describe('and a call in the background hangs', () => {
      beforeEach(() => {
        jest.useFakeTimers({ doNotFake: ['setImmediate', 'performance'] });
      });
      afterEach(() => {
        jest.useRealTimers();
      });

      it('writes the record at once', async () => {
        await registerPending(1);
        zone.setbacks.push('hang');
        const inBackground = reconciler.reconcile();
        while (zone.batches.length === 0) await new Promise(setImmediate);
        const outcome = await reconciler.apply(await leased(), requestTimeoutSignal());
        expect(outcome).toEqual({ state: 'settled', record: EDGE });
        await jest.advanceTimersByTimeAsync(3_500);
        await inBackground;
        expect([...store.records.values()]).toContainEqual(expect.objectContaining({ state: 'failed' }));
      });
    });

    it('uses another TTL while an earlier removal may still be executed', async () => {
      await zone.put('shop.apps.test', EDGE.target);
      const lease = await leased({ known: EDGE, minTtl: 61 });
      const outcome = await reconciler.apply(lease, requestTimeoutSignal());
      expect(outcome).toEqual({ state: 'settled', record: { ...EDGE, ttl: 61 } });
    });

    it('updates a managed record to the present distribution', async () => {
      const known = { ...EDGE, target: 'old-edge.test' };
      await zone.put('shop.apps.test', known.target);
      expect(await reconciler.apply(await leased({ known }), requestTimeoutSignal())).toEqual({
        state: 'settled',
        record: EDGE,
      });
    });
  });
});
