import { type DnsLease, DnsLedger, type RecordRequest, type SyncOutcome } from '../../application/dns-ledger.port';
import type { CnameRecord, DnsState } from '../../domain/dns-record';
import type { Subdomain } from '../../../shared/domain/subdomain';
import { type InMemoryApps, type MemoryRecord, NOT_QUARANTINED } from '../../../shared/adapters/memory/in-memory-apps';

/**
 * The DNS ledger in memory, over the same store as the apps. It schedules no jobs: tests run the reconciliation
 * themselves.
 */
export class InMemoryDnsLedger extends DnsLedger {
  constructor(private readonly store: InMemoryApps) {
    super();
  }

  async requestRecord({ id, organization, subdomain }: RecordRequest): Promise<DnsLease | undefined> {
    const known = this.store.records.get(subdomain) ?? newRecord(subdomain);
    const initial = { state: 'pending', error: undefined, changeId: undefined, attempts: 0 } as const;
    const record = { ...known, ...initial, organization, appId: id };
    if (this.store.isFree(record)) return this.store.acquireLease(record, true);
    this.store.change(record, {});
    return undefined;
  }

  async withdrawRecord(appId: string): Promise<void> {
    const record = this.#recordOf(appId);
    if (record) this.store.change(record, { appId: undefined });
  }

  async acquireLease(appId: string): Promise<DnsLease | undefined> {
    const record = this.#recordOf(appId);
    return record && this.store.isFree(record) ? this.store.acquireLease(record, true) : undefined;
  }

  acquireDueLeases(limit: number): Promise<readonly DnsLease[]> {
    return this.store.exclusively(() => {
      const due = [...this.store.records.values()].filter(({ dueAt = Infinity }) => dueAt <= Date.now());
      return due
        .toSorted((a, b) => (a.dueAt as number) - (b.dueAt as number))
        .slice(0, limit)
        .map((record) => this.store.acquireLease(record, false));
    });
  }

  recordOutcome(lease: DnsLease, outcome: SyncOutcome): Promise<DnsState | undefined> {
    return this.store.exclusively(() => this.store.recordOutcome(lease, outcome));
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
      this.store.records.set(subdomain, { ...newRecord(subdomain as Subdomain), known, dueAt: Date.now() });
    }
  }

  #recordOf(appId: string): MemoryRecord | undefined {
    return [...this.store.records.values()].find((record) => record.appId === appId);
  }
}

function newRecord(subdomain: Subdomain): MemoryRecord {
  return {
    subdomain,
    organization: undefined,
    appId: undefined,
    known: undefined,
    state: 'pending',
    changeId: undefined,
    error: undefined,
    attempts: 0,
    token: undefined,
    ...NOT_QUARANTINED,
    dueAt: undefined,
    changedAt: Date.now(),
  };
}
