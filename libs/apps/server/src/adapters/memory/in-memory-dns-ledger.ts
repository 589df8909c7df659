import { type DnsLease, DnsLedger, type SyncOutcome } from '../../application/dns/dns-ledger.port';
import type { CnameRecord, DnsState } from '../../domain/dns/dns-record';
import type { Subdomain } from '../../domain/registry/subdomain';
import { InMemoryApps, NOT_QUARANTINED } from './in-memory-apps';

/**
 * The DNS ledger in memory, over the same store as the apps. It schedules no jobs: tests run the reconciliation
 * themselves.
 */
export class InMemoryDnsLedger extends DnsLedger {
  constructor(private readonly store: InMemoryApps) {
    super();
  }

  async acquireDueLeases(limit: number): Promise<readonly DnsLease[]> {
    const due = [...this.store.records.values()].filter(({ dueAt = Infinity }) => dueAt <= Date.now());
    return due
      .toSorted((a, b) => (a.dueAt as number) - (b.dueAt as number))
      .slice(0, limit)
      .map((record) => this.store.acquireLease(record, false));
  }

  async recordOutcome(lease: DnsLease, outcome: SyncOutcome): Promise<DnsState | undefined> {
    return this.store.recordOutcome(lease, outcome);
  }

  async scheduleReconciliation(_ms: number): Promise<void> {
    return Promise.resolve();
  }

  async now(): Promise<Date> {
    return new Date();
  }

  async filterKnown(subdomains: readonly string[]): Promise<ReadonlySet<string>> {
    return new Set(subdomains.filter((subdomain) => this.store.records.has(subdomain)));
  }

  async *settledNames(since: Date): AsyncIterable<readonly string[]> {
    yield [...this.store.records.values()]
      .filter(
        ({ state, appId, changedAt }) => state === 'settled' && appId !== undefined && changedAt < since.getTime(),
      )
      .map(({ subdomain }) => subdomain);
  }

  async markDrifted(subdomains: readonly string[]): Promise<void> {
    for (const subdomain of subdomains) {
      const record = this.store.records.get(subdomain);
      if (record?.state !== 'settled' || record.token !== undefined) continue;
      this.store.change(record, { state: 'pending', attempts: 0, dueAt: Date.now() });
    }
  }

  async adopt(records: readonly { readonly subdomain: string; readonly known: CnameRecord }[]): Promise<void> {
    for (const { subdomain, known } of records) {
      if (this.store.records.has(subdomain)) continue;
      this.store.records.set(subdomain, {
        subdomain: subdomain as Subdomain,
        organization: undefined,
        appId: undefined,
        known,
        state: 'pending',
        changeId: undefined,
        error: undefined,
        attempts: 0,
        token: undefined,
        ...NOT_QUARANTINED,
        dueAt: Date.now(),
        changedAt: Date.now(),
      });
    }
  }
}
