import { randomUUID } from 'node:crypto';
import type { Member } from '@homeport/identity/server';
import {
  type AppPage,
  AppRepository,
  type PageRequest,
  type Registration,
} from '../../application/registry/app-repository.port';
import type { Claim, Settlement } from '../../application/dns/dns-ledger.port';
import type { AppRecord, NewApp } from '../../domain/registry/app-record';
import { AppQuotaExceeded, SubdomainTaken } from '../../domain/registry/apps.errors';
import { InMemoryApps, type MemoryRecord, UNDOUBTED } from './in-memory-apps';

/** The apps in memory, for tests and for trying modules out. Passes the same contract suite as the real one. */
export class InMemoryAppRepository extends AppRepository {
  constructor(private readonly store: InMemoryApps) {
    super();
  }

  async register({ organization }: Member, app: NewApp, { quota }: { quota: number }): Promise<Registration> {
    if (this.#isTaken(organization, app.subdomain)) throw new SubdomainTaken(app.subdomain);
    if (this.#own(organization).length >= quota) throw new AppQuotaExceeded(quota);
    const id = randomUUID();
    const facts = { ...app, id, organization, deployCount: 0, activeDeployId: null, createdAt: new Date() };
    this.store.apps.set(id, facts);
    const record = this.#wanted(organization, app, id);
    const claim = this.store.isFree(record) ? this.store.claim(record, true) : undefined;
    if (!claim) this.store.change(record, {});
    return { app: this.#whole(facts), ...(claim && { claim }) };
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
    const holder = this.store.records.get(subdomain);
    const isLive = [...this.store.apps.values()].some((app) => app.subdomain === subdomain);
    return isLive || (holder?.organization !== undefined && holder.organization !== organization);
  }

  async claim({ subdomain }: AppRecord): Promise<Claim | undefined> {
    const record = this.store.records.get(subdomain);
    return record && this.store.isFree(record) ? this.store.claim(record, true) : undefined;
  }

  claimForRetry(_member: Member, app: AppRecord): Promise<Claim | undefined> {
    return this.claim(app);
  }

  async remove(
    { organization }: Member,
    { id, subdomain }: AppRecord,
    work: { claim: Claim; settlement: Settlement } | undefined,
  ): Promise<number | undefined> {
    if (this.store.apps.get(id)?.organization !== organization) return undefined;
    this.store.apps.delete(id);
    const record = this.store.records.get(subdomain);
    if (record) this.store.change(record, { appId: undefined });
    if (work) this.store.settle({ ...work.claim, appId: undefined }, work.settlement);
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
    const unknown = { known: undefined, token: undefined, dueAt: undefined, ...UNDOUBTED };
    return { ...wanted, ...unknown, subdomain, changedAt: Date.now() };
  }
}
