import { randomUUID } from 'node:crypto';
import { type AppPage, AppRepository, type OwnedNewApp } from '../../application/app-repository.port';
import { App, type AppChanges, type AppFacts } from '../../domain/app';
import type { PageRequest } from '../../../shared/application/list-request';
import type { AppRecord } from '../../domain/app-record';
import { SubdomainTaken } from '../../domain/apps.errors';
import { appDomainsOf } from '../../../domains/domain/app-domains';
import type { InMemoryApps } from '../../../shared/adapters/memory/in-memory-apps';

/** The app repository in memory, for tests. Passes the same contract suite as the PostgreSQL adapter. */
export class InMemoryAppRepository extends AppRepository {
  constructor(private readonly store: InMemoryApps) {
    super();
  }

  async count(organization: string): Promise<number> {
    return this.#appsOf(organization).length;
  }

  /** Units of work run one after the other. */
  async lockRegistrations(_organization: string): Promise<void> {
    return Promise.resolve();
  }

  async add({ createdBy: _, ...newApp }: OwnedNewApp): Promise<App> {
    if (await this.hasSubdomain(newApp.subdomain)) throw new SubdomainTaken(newApp.subdomain);
    const initial = { deployCount: 0, activeDeployId: null, clearsDataUntil: undefined, deletedDeploys: 0 };
    const facts = { ...newApp, ...initial, id: randomUUID(), createdAt: new Date() };
    this.store.apps.set(facts.id, facts);
    return new App(facts);
  }

  async list(organization: string, page?: PageRequest): Promise<AppPage> {
    const all = this.#appsOf(organization).toReversed();
    const start = page?.after ? all.findIndex(({ id }) => id === page.after?.id) + 1 : 0;
    const shown = all.slice(start, page && start + page.limit);
    const last = shown.at(-1);
    const isLast = start + shown.length >= all.length;
    const end = last && { id: last.id, createdAtMicros: String(last.createdAt.getTime() * 1_000) };
    return { apps: shown.map((facts) => this.#toRecord(facts)), ...(!isLast && end && { end }) };
  }

  async find(organization: string, id: string): Promise<AppRecord | undefined> {
    const facts = this.store.apps.get(id);
    return facts?.organization === organization ? this.#toRecord(facts) : undefined;
  }

  /** Units of work run one after the other. */
  async lock(organization: string, id: string): Promise<App | undefined> {
    const facts = this.store.apps.get(id);
    return facts?.organization === organization ? new App(facts) : undefined;
  }

  async lockByDeploy(organization: string, deployId: string): Promise<App | undefined> {
    const deploy = this.store.deploys.get(deployId);
    return deploy && this.lock(organization, deploy.appId);
  }

  async hasSubdomain(subdomain: string): Promise<boolean> {
    return [...this.store.apps.values()].some((app) => app.subdomain === subdomain);
  }

  async update(id: string, changes: AppChanges): Promise<void> {
    const facts = this.store.apps.get(id);
    if (facts) this.store.apps.set(id, { ...facts, ...changes });
  }

  async advanceRuntimeVersion(id: string): Promise<void> {
    this.store.runtimeVersions.set(id, (this.store.runtimeVersions.get(id) ?? 1) + 1);
  }

  async remove(organization: string, id: string): Promise<App | undefined> {
    const facts = this.store.apps.get(id);
    if (facts?.organization !== organization) return undefined;
    this.store.apps.delete(id);
    for (const [releaseId, { appId }] of this.store.releases) if (appId === id) this.store.releases.delete(releaseId);
    for (const [label, { appId }] of this.store.aliases) if (appId === id) this.store.aliases.delete(label);
    return new App(facts);
  }

  #appsOf(organization: string): AppFacts[] {
    return [...this.store.apps.values()].filter((app) => app.organization === organization);
  }

  #toRecord(facts: AppFacts): AppRecord {
    return new App(facts).toRecord({
      dns: this.store.dnsOf(facts.subdomain),
      activeDeploy: this.store.activeDeployOf(facts),
      domains: appDomainsOf(facts, this.store.domainClaims.values()),
    });
  }
}
