import { randomUUID } from 'node:crypto';
import { AppRepository } from '../../application/app-repository.port';
import type { AppRecord, DnsState, NewApp } from '../../domain/app-record';
import { SubdomainTaken } from '../../domain/apps.errors';

/** The apps in memory, for tests and for trying modules out. Passes the same contract suite as the real one. */
export class InMemoryAppRepository extends AppRepository {
  /** By id, in the order of registration. */
  readonly #apps = new Map<string, AppRecord>();
  readonly #dangling = new Map<string, string>();

  async add(app: NewApp): Promise<AppRecord> {
    const holder = this.#dangling.get(app.subdomain);
    const isTaken = [...this.#apps.values()].some(({ subdomain }) => subdomain === app.subdomain);
    if (isTaken || (holder !== undefined && holder !== app.organization)) throw new SubdomainTaken(app.subdomain);
    this.#dangling.delete(app.subdomain);
    const record: AppRecord = {
      ...app,
      id: randomUUID(),
      deployCount: 0,
      activeDeployId: null,
      dns: { status: 'dns-pending' },
      createdAt: new Date(),
    };
    this.#apps.set(record.id, record);
    return record;
  }

  async list(organization: string): Promise<readonly AppRecord[]> {
    return [...this.#apps.values()].filter((app) => app.organization === organization).toReversed();
  }

  async find(organization: string, id: string): Promise<AppRecord | undefined> {
    const app = this.#apps.get(id);
    return app?.organization === organization ? app : undefined;
  }

  async recordDns(id: string, dns: DnsState): Promise<AppRecord | undefined> {
    const app = this.#apps.get(id);
    if (!app) return undefined;
    const recorded = { ...app, dns };
    this.#apps.set(id, recorded);
    return recorded;
  }

  async remove(app: AppRecord, dangling: boolean): Promise<boolean> {
    if (this.#apps.get(app.id)?.organization !== app.organization) return false;
    this.#apps.delete(app.id);
    if (dangling) this.#dangling.set(app.subdomain, app.organization);
    return true;
  }
}
