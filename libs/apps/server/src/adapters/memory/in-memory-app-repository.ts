import { randomUUID } from 'node:crypto';
import type { Member } from '@homeport/identity/server';
import {
  type AppPage,
  AppRepository,
  type PageRequest,
  type Registration,
} from '../../application/registry/app-repository.port';
import type { DnsLease, SyncOutcome } from '../../application/dns/dns-ledger.port';
import type { AppRecord, NewApp } from '../../domain/registry/app-record';
import { FORMER_OWNER_DAYS, type FormerOwner, type NameQuarantine } from '../../domain/registry/former-owner';
import { AppQuotaExceeded, SubdomainTaken } from '../../domain/registry/apps.errors';
import { InMemoryApps, type MemoryRecord, NOT_QUARANTINED } from './in-memory-apps';

const DAY_MS = 24 * 3_600_000;

/** The app repository in memory, for tests. Passes the same contract suite as the PostgreSQL adapter. */
export class InMemoryAppRepository extends AppRepository {
  constructor(
    private readonly store: InMemoryApps,
    private readonly quarantine: NameQuarantine = { days: 0, maxNames: 1 },
  ) {
    super();
  }

  async register({ organization }: Member, app: NewApp, { quota }: { quota: number }): Promise<Registration> {
    if (this.#isTaken(organization, app.subdomain)) throw new SubdomainTaken(app.subdomain);
    if (this.#own(organization).length >= quota) throw new AppQuotaExceeded(quota);
    const id = randomUUID();
    const facts = { ...app, id, organization, deployCount: 0, activeDeployId: null, createdAt: new Date() };
    this.store.apps.set(id, facts);
    this.#takeOver(facts);
    const record = this.#wanted(organization, app, id);
    const lease = this.store.isFree(record) ? this.store.acquireLease(record, true) : undefined;
    if (!lease) this.store.change(record, {});
    return { app: this.#whole(facts), ...(lease && { lease }) };
  }

  async list(organization: string, page?: PageRequest): Promise<AppPage> {
    const all = this.#own(organization).toReversed();
    const start = page?.after ? all.findIndex(({ id }) => id === page.after?.id) + 1 : 0;
    const apps = all.slice(start, page && start + page.limit);
    const last = apps.at(-1);
    const isLast = start + apps.length >= all.length;
    const end = last && { id: last.id, createdAtMicros: String(last.createdAt.getTime() * 1_000) };
    return { apps, ...(!isLast && end && { end }) };
  }

  async find(organization: string, id: string): Promise<AppRecord | undefined> {
    const facts = this.store.apps.get(id);
    return facts?.organization === organization ? this.#whole(facts) : undefined;
  }

  async isTaken(organization: string, subdomain: string): Promise<boolean> {
    return this.#isTaken(organization, subdomain);
  }

  #isTaken(organization: string, subdomain: string): boolean {
    const dnsRecord = this.store.records.get(subdomain);
    const former = this.store.formerOwners.get(subdomain);
    const isClosed = former !== undefined && former.organization !== organization && this.#isInQuarantine(former);
    const isLive = [...this.store.apps.values()].some((app) => app.subdomain === subdomain);
    return isLive || isClosed || (dnsRecord?.organization !== undefined && dnsRecord.organization !== organization);
  }

  #isInQuarantine({ organization, releasedAt }: FormerOwner): boolean {
    const later = [...this.store.formerOwners.values()].filter(
      (other) => other.organization === organization && other.releasedAt > releasedAt,
    );
    const { days, maxNames } = this.quarantine;
    return releasedAt.getTime() > Date.now() - days * DAY_MS && later.length < maxNames;
  }

  /**
   * Visitors of a new owner may hold data of the former owner; an owner that registers the name again keeps the earlier
   * deadline.
   */
  #takeOver({ id, subdomain, organization }: Omit<AppRecord, 'dns'>): void {
    const former = this.store.formerOwners.get(subdomain);
    this.store.formerOwners.delete(subdomain);
    if (!former) return;
    const fullPeriod = new Date(Date.now() + FORMER_OWNER_DAYS * DAY_MS);
    const until = former.organization === organization ? former.clearsDataUntil : fullPeriod;
    if (until) this.store.clearsDataUntil.set(id, until);
  }

  async purgeFormerOwners(): Promise<void> {
    const before = Date.now() - Math.max(this.quarantine.days, FORMER_OWNER_DAYS) * DAY_MS;
    for (const [subdomain, { releasedAt }] of this.store.formerOwners) {
      if (releasedAt.getTime() < before) this.store.formerOwners.delete(subdomain);
    }
  }

  async acquireDnsLease({ subdomain }: AppRecord): Promise<DnsLease | undefined> {
    const record = this.store.records.get(subdomain);
    return record && this.store.isFree(record) ? this.store.acquireLease(record, true) : undefined;
  }

  acquireDnsLeaseForRetry(_member: Member, app: AppRecord): Promise<DnsLease | undefined> {
    return this.acquireDnsLease(app);
  }

  async remove(
    { organization }: Member,
    { id, subdomain }: AppRecord,
    synced: { lease: DnsLease; outcome: SyncOutcome } | undefined,
  ): Promise<number | undefined> {
    if (this.store.apps.get(id)?.organization !== organization) return undefined;
    this.store.apps.delete(id);
    const clearsDataUntil = this.store.clearsDataUntil.get(id);
    this.store.clearsDataUntil.delete(id);
    this.store.formerOwners.set(subdomain, { organization, releasedAt: new Date(), clearsDataUntil });
    const record = this.store.records.get(subdomain);
    if (record) this.store.change(record, { appId: undefined });
    if (synced) this.store.recordOutcome({ ...synced.lease, appId: undefined }, synced.outcome);
    return this.store.archive(this.store.deploysOf(id).filter(({ status }) => status !== 'archived'));
  }

  #own(organization: string): AppRecord[] {
    return [...this.store.apps.values()]
      .filter((app) => app.organization === organization)
      .map((facts) => this.#whole(facts));
  }

  #whole(facts: Omit<AppRecord, 'dns'>): AppRecord {
    return { ...facts, dns: this.store.dnsOf(facts.subdomain) };
  }

  #wanted(organization: string, { subdomain }: NewApp, appId: string): MemoryRecord {
    const former = this.store.records.get(subdomain);
    const wanted = {
      organization,
      appId,
      state: 'pending' as const,
      error: undefined,
      changeId: undefined,
      attempts: 0,
    };
    if (former) return { ...former, ...wanted };
    const unknown = { known: undefined, token: undefined, dueAt: undefined, ...NOT_QUARANTINED };
    return { ...wanted, ...unknown, subdomain, changedAt: Date.now() };
  }
}
