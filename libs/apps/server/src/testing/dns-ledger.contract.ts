import { describe, expect, it } from '@jest/globals';
import type { DnsLease } from '../dns/application/dns-ledger.port';
import type { AppRecord } from '../registry/domain/app-record';
import { memberOf, newApp } from './app-fixture';
import type { AppRepositoryHarness } from './app-repository.contract';

const EDGE = { target: 'edge.example', ttl: 60 };
const FAR_MS = 3_600_000;
/** More than the pages of leases that the tests leave. */
const MAX_CALLS = 50;

/** The contract of every `DnsLedger` adapter. */
export function dnsLedgerContract(
  name: string,
  open: () => Pick<AppRepositoryHarness, 'apps' | 'ledger' | 'registry'>,
): void {
  describe(`${name} as a DNS ledger`, () => {
    const member = memberOf(`ledger-${process.pid}`);
    const registered = async (): Promise<{ app: AppRecord; lease: DnsLease }> => {
      const { app, lease } = await open().registry.register(member);
      if (!lease) throw new Error('a new name must have a lease');
      return { app, lease };
    };
    const stateOf = async ({ id }: AppRecord) => (await open().apps.find(member.organization, id))?.dns;
    /** Acquires due leases until the one of this app is among them. */
    const acquireDue = async ({ subdomain }: AppRecord): Promise<DnsLease | undefined> => {
      for (let call = 0; call < MAX_CALLS; call += 1) {
        const leases = await open().ledger.acquireDueLeases(1_000);
        const own = leases.find((lease) => lease.subdomain === subdomain);
        if (own || leases.length === 0) return own;
      }
      throw new Error('leases that were given out are due at once');
    };

    it('shows the state of a record to its organization', async () => {
      const { app, lease } = await registered();
      const shown = await open().ledger.recordOutcome(lease, { state: 'failed', error: 'throttled', afterMs: FAR_MS });
      const failed = await stateOf(app);
      expect(shown).toEqual(failed);
      expect(failed).toMatchObject({ state: 'failed', error: 'throttled', attempts: 1 });
      expect(failed?.nextAttemptAt).toBeInstanceOf(Date);
      const again = await open().registry.acquireDnsLease(app);
      expect(await stateOf(app)).toMatchObject({ state: 'failed', nextAttemptAt: undefined });
      await open().ledger.recordOutcome(again as DnsLease, { state: 'failed', error: 'foreign-record' });
      expect(await stateOf(app)).toEqual({
        state: 'failed',
        error: 'foreign-record',
        attempts: 2,
        nextAttemptAt: undefined,
      });
      const third = await open().registry.acquireDnsLease(app);
      await open().ledger.recordOutcome(third as DnsLease, {
        state: 'syncing',
        record: EDGE,
        changeId: 'C1',
        afterMs: FAR_MS,
      });
      // The count of attempts restarts with every state.
      expect(await stateOf(app)).toMatchObject({ state: 'syncing', error: undefined, attempts: 1 });
      const fourth = await open().registry.acquireDnsLease(app);
      await open().ledger.recordOutcome(fourth as DnsLease, { state: 'settled', record: EDGE });
      expect(await stateOf(app)).toEqual({ state: 'settled', error: undefined, attempts: 0, nextAttemptAt: undefined });
    });

    it('gives out a due lease once', async () => {
      const { app, lease } = await registered();
      await open().ledger.recordOutcome(lease, { state: 'syncing', record: EDGE, changeId: 'C1', afterMs: 0 });
      const due = await acquireDue(app);
      expect(due).toMatchObject({ appId: app.id, known: EDGE, state: 'syncing', changeId: 'C1', attempts: 1 });
      expect(await acquireDue(app)).toBeUndefined();
    });

    it('gives out no lease of a record that is settled, not due yet, or needs a manual retry', async () => {
      const later = await registered();
      await open().ledger.recordOutcome(later.lease, { state: 'failed', error: 'timeout', afterMs: FAR_MS });
      const done = await registered();
      await open().ledger.recordOutcome(done.lease, { state: 'settled', record: EDGE });
      const stuck = await registered();
      await open().ledger.recordOutcome(stuck.lease, { state: 'failed', error: 'access-denied' });
      for (const { app } of [later, done, stuck]) expect(await acquireDue(app)).toBeUndefined();
    });

    it('schedules a record again when its desired state has changed meanwhile', async () => {
      const { app, lease } = await registered();
      expect(await open().registry.remove(member, app)).toBe(0);
      await open().ledger.recordOutcome(lease, { state: 'settled', record: EDGE });
      const due = await acquireDue(app);
      expect(due).toMatchObject({ appId: undefined, known: EDGE, state: 'pending' });
      await open().ledger.recordOutcome(due as DnsLease, { state: 'settled', record: undefined });
      expect(await open().ledger.filterKnown([app.subdomain])).toEqual(new Set());
    });

    it('keeps a name that was registered again while its record was removed', async () => {
      const { app, lease } = await registered();
      await open().ledger.recordOutcome(lease, { state: 'settled', record: EDGE });
      const removal = (await open().registry.acquireDnsLease(app)) as DnsLease;
      await open().registry.remove(member, app);
      const again = await open().registry.register(member, app);
      expect(again.lease).toBeUndefined();
      await open().ledger.recordOutcome({ ...removal, appId: undefined }, { state: 'settled', record: undefined });
      expect(await acquireDue(again.app)).toMatchObject({ appId: again.app.id, known: undefined });
    });

    it('opens a name after an unanswered removal, and raises the minimum TTL of the next record', async () => {
      const { app, lease } = await registered();
      await open().ledger.recordOutcome(lease, { state: 'settled', record: EDGE });
      const first = (await open().registry.acquireDnsLease(app)) as DnsLease;
      expect(first.minTtl).toBe(60);
      const unanswered = { state: 'failed', error: 'timeout', afterMs: 0 } as const;
      await open().registry.remove(member, app, { lease: first, outcome: unanswered });
      const second = await acquireDue(app);
      expect(second).toMatchObject({ appId: undefined, known: EDGE });
      await open().ledger.recordOutcome(second as DnsLease, { state: 'settled', record: undefined });
      // The unanswered change may still be applied, so the name is kept, but it is open to every organization.
      expect(await open().ledger.filterKnown([app.subdomain])).toEqual(new Set([app.subdomain]));
      expect(await acquireDue(app)).toBeUndefined();
      const stranger = memberOf(`stranger-${process.pid}`);
      expect(await open().registry.isTaken(stranger.organization, app.subdomain)).toBe(false);
      const next = await open().registry.register(stranger, app);
      expect(next.lease).toMatchObject({ known: undefined, minTtl: 61 });
    });

    it('keeps a name after an unanswered creation of its record', async () => {
      const { app, lease } = await registered();
      await open().ledger.recordOutcome(lease, { state: 'failed', error: 'provider-unavailable', afterMs: FAR_MS });
      const removal = (await open().registry.acquireDnsLease(app)) as DnsLease;
      expect(removal.minTtl).toBe(60);
      await open().registry.remove(member, app, { lease: removal, outcome: { state: 'settled', record: undefined } });
      expect(await open().ledger.filterKnown([app.subdomain])).toEqual(new Set([app.subdomain]));
    });

    it('forgets a name at once when every change was answered', async () => {
      const { app, lease } = await registered();
      await open().ledger.recordOutcome(lease, { state: 'failed', error: 'throttled', afterMs: FAR_MS });
      const removal = (await open().registry.acquireDnsLease(app)) as DnsLease;
      await open().registry.remove(member, app, { lease: removal, outcome: { state: 'settled', record: undefined } });
      expect(await open().ledger.filterKnown([app.subdomain])).toEqual(new Set());
    });

    it('ignores the outcome of a lost lease', async () => {
      const { app, lease } = await registered();
      await open().ledger.recordOutcome(
        { ...lease, token: '00000000-0000-4000-8000-000000000000' },
        { state: 'settled', record: EDGE },
      );
      expect(await stateOf(app)).toMatchObject({ state: 'pending' });
    });

    it('lists names settled before a moment, and makes them due when they have drifted', async () => {
      const { app, lease } = await registered();
      await open().ledger.recordOutcome(lease, { state: 'settled', record: EDGE });
      const named = async (since: Date) => {
        const names: string[] = [];
        for await (const page of open().ledger.settledNames(since)) names.push(...page);
        return names.includes(app.subdomain);
      };
      const now = await open().ledger.now();
      expect(await named(new Date(now.getTime() - FAR_MS))).toBe(false);
      expect(await named(new Date(now.getTime() + FAR_MS))).toBe(true);
      await open().ledger.markDrifted([app.subdomain]);
      expect(await acquireDue(app)).toMatchObject({ state: 'pending', known: EDGE });
    });

    it('adopts records without an app, and no others', async () => {
      const { app, lease } = await registered();
      await open().ledger.recordOutcome(lease, { state: 'settled', record: EDGE });
      const orphan = newApp().subdomain;
      await open().ledger.adopt([app.subdomain, orphan].map((subdomain) => ({ subdomain, known: EDGE })));
      expect(await acquireDue(app)).toBeUndefined();
      expect(await open().ledger.filterKnown([app.subdomain, orphan, 'nobody-knows'])).toEqual(
        new Set([app.subdomain, orphan]),
      );
      // It has no former owner, so every organization may register it.
      expect(await open().registry.isTaken('another-organization', orphan)).toBe(false);
    });
  });
}
