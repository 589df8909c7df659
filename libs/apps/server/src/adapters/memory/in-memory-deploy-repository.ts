import { randomUUID } from 'node:crypto';
import type { DeployError, DeployProblem } from '@homeport/apps/contracts';
import type { Member } from '@homeport/identity/server';
import type { PageRequest } from '../../application/registry/app-repository.port';
import {
  type DeployPage,
  DeployRepository,
  FILES_PER_PAGE,
  type FilePageRequest,
  type FailedDeployRetention,
  type ReadyDeploy,
} from '../../application/deploys/deploy-repository.port';
import { App } from '../../domain/registry/app';
import type { AppRecord } from '../../domain/registry/app-record';
import { AppNotFound } from '../../domain/registry/apps.errors';
import { INTERRUPTED } from '../../domain/deploys/deploy-failure';
import {
  type DeployContents,
  type DeployFilePage,
  type DeployRecord,
  uploaderOf,
} from '../../domain/deploys/deploy-record';
import {
  DeployInterrupted,
  ActiveDeployNotDeletable,
  DeployNotFound,
  DeployNotReady,
  NothingToRollBack,
} from '../../domain/deploys/deploys.errors';
import { assertExpected, type ExpectedRelease } from '../../domain/deploys/expected-release';
import { NO_RULES } from '../../domain/sites/site-rules';
import type { InMemoryApps, MemoryDeploy } from './in-memory-apps';

const LEASE_MS = 30_000;
/** Compares by UTF-8 bytes, as PostgreSQL's collation "C" does. JavaScript compares UTF-16 code units. */
const comparePaths = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));

/** The deploy repository in memory, for tests. Passes the same contract suite as the PostgreSQL adapter. */
export class InMemoryDeployRepository extends DeployRepository {
  constructor(private readonly store: InMemoryApps) {
    super();
  }

  async begin(member: Member, appId: string): Promise<DeployRecord> {
    const { organization } = member;
    if (!this.#appOf(organization, appId)) throw new AppNotFound();
    const deploy: MemoryDeploy = {
      id: randomUUID(),
      appId,
      organization,
      status: 'uploading',
      fileCount: 0,
      totalBytes: 0,
      createdBy: uploaderOf(member),
      createdAt: new Date(),
      readyAt: undefined,
      archivedAt: undefined,
      error: undefined,
      leaseUntil: Date.now() + LEASE_MS,
      files: [],
      rules: NO_RULES,
      problems: [],
    };
    this.store.deploys.set(deploy.id, deploy);
    return recordOf(deploy);
  }

  async renew(id: string): Promise<void> {
    this.#change(id, {});
  }

  async beginProcessing(id: string): Promise<void> {
    this.#change(id, { status: 'processing' });
  }

  async fail(id: string, error: DeployError, problems: readonly DeployProblem[]): Promise<void> {
    const deploy = this.store.deploys.get(id);
    if (deploy?.leaseUntil === undefined) return;
    this.store.deploys.set(id, { ...deploy, status: 'failed', error, problems, leaseUntil: undefined });
  }

  async finish({ organization }: Member, id: string, ready: ReadyDeploy): Promise<DeployRecord> {
    const deploy = this.store.deploys.get(id);
    const app = deploy && this.#appOf(organization, deploy.appId);
    if (!app || deploy.leaseUntil === undefined) throw new DeployInterrupted();
    const { files, rules, problems } = ready;
    const totalBytes = files.reduce((sum, { size }) => sum + size, 0);
    const facts = { status: 'ready', readyAt: new Date(), leaseUntil: undefined, totalBytes } as const;
    const finished = { ...deploy, ...facts, fileCount: files.length, files, rules, problems };
    this.store.deploys.set(id, finished);
    this.store.apps.set(app.id, { ...app, deployCount: app.deployCount + 1 });
    if (ready.shouldActivate) this.#release(app.id, id);
    return recordOf(finished);
  }

  async list(organization: string, appId: string, { limit, after }: PageRequest): Promise<DeployPage | undefined> {
    const all = this.store.deploysOf(appId).filter((deploy) => deploy.organization === organization);
    if (all.length === 0 && !this.#appOf(organization, appId)) return undefined;
    const start = after ? all.findIndex(({ id }) => id === after.id) + 1 : 0;
    const shown = all.slice(start, start + limit);
    const last = shown.at(-1);
    const isLast = start + shown.length >= all.length;
    const end = last && { id: last.id, createdAtMicros: String(last.createdAt.getTime() * 1_000) };
    return { deploys: shown.map(recordOf), ...(!isLast && end && { end }) };
  }

  async find(organization: string, id: string): Promise<DeployRecord | undefined> {
    const deploy = this.#deployOf(organization, id);
    return deploy && recordOf(deploy);
  }

  async contentsOf(id: string): Promise<DeployContents> {
    const { problems = [] } = this.store.deploys.get(id) ?? {};
    return { ...(await this.listFiles(id, { limit: FILES_PER_PAGE })), problems };
  }

  async listFiles(id: string, { limit, after }: FilePageRequest): Promise<DeployFilePage> {
    const { files: all = [] } = this.store.deploys.get(id) ?? {};
    const rest = all
      .filter(({ path }) => after === undefined || comparePaths(path, after) > 0)
      .toSorted((a, b) => comparePaths(a.path, b.path));
    const files = rest
      .slice(0, limit)
      .map(({ path, size, contentType, digest }) => ({ path, size, contentType, digest }));
    const last = files.at(-1);
    return { files, ...(last && rest.length > limit && { end: last.path }) };
  }

  async rollbackTargetOf(id: string): Promise<DeployRecord | undefined> {
    const app = [...this.store.apps.values()].find(({ activeDeployId }) => activeDeployId === id);
    const former = app && this.store.deploys.get(this.#rollbackTargetOf(app.id) ?? '');
    return former && recordOf(former);
  }

  async activate({ organization }: Member, id: string): Promise<AppRecord> {
    const deploy = this.#deployOf(organization, id);
    if (!deploy) throw new DeployNotFound();
    const app = this.#appOf(organization, deploy.appId);
    if (!app || deploy.status !== 'ready') throw new DeployNotReady();
    if (app.activeDeployId !== id) this.#release(app.id, id);
    return this.#whole(app.id);
  }

  async rollBack({ organization }: Member, appId: string, { from, to }: ExpectedRelease = {}): Promise<AppRecord> {
    const app = this.#appOf(organization, appId);
    if (!app) throw new AppNotFound();
    assertExpected(app.activeDeployId, from);
    const former = this.#rollbackTargetOf(appId);
    if (former === undefined) throw new NothingToRollBack();
    assertExpected(former, to);
    for (const [releaseId, release] of this.store.releases) {
      if (release.deployId === app.activeDeployId) this.store.releases.set(releaseId, { ...release, isUndone: true });
    }
    this.store.apps.set(appId, { ...app, activeDeployId: former });
    return this.#whole(appId);
  }

  async delete({ organization }: Member, id: string): Promise<void> {
    const deploy = this.#deployOf(organization, id);
    if (!deploy) return;
    if (this.store.apps.get(deploy.appId)?.activeDeployId === id) throw new ActiveDeployNotDeletable();
    this.store.deploys.delete(id);
    for (const [releaseId, { deployId }] of this.store.releases) {
      if (deployId === id) this.store.releases.delete(releaseId);
    }
  }

  async archiveAll(appId: string): Promise<number> {
    return this.store.archive(this.store.deploysOf(appId).filter(({ status }) => status !== 'archived'));
  }

  /** Deletion removes everything at once, so no rows remain. */
  async removeDeleted(): Promise<number> {
    return 0;
  }

  async failAbandoned(): Promise<number> {
    const lost = [...this.store.deploys.values()].filter(({ leaseUntil = Infinity }) => leaseUntil < Date.now());
    for (const { id } of lost) await this.fail(id, INTERRUPTED, []);
    return lost.length;
  }

  async archiveBeyond(limit: number): Promise<number> {
    let archived = 0;
    for (const { id, activeDeployId } of this.store.apps.values()) {
      const needed = [activeDeployId, this.#rollbackTargetOf(id)];
      const ready = this.store.deploysOf(id).filter(({ status }) => status === 'ready');
      archived += this.store.archive(ready.slice(limit).filter((deploy) => !needed.includes(deploy.id)));
    }
    return archived;
  }

  async removeFailed({ newest, days }: FailedDeployRetention): Promise<number> {
    const oldest = Date.now() - days * 24 * 60 * 60 * 1_000;
    const appIds = new Set([...this.store.deploys.values()].map(({ appId }) => appId));
    const old = [...appIds].flatMap((appId) => {
      const failed = this.store.deploysOf(appId).filter(({ status }) => status === 'failed');
      return failed.filter(({ createdAt }, place) => place >= newest || createdAt.getTime() < oldest);
    });
    for (const { id } of old) this.store.deploys.delete(id);
    return old.length;
  }

  /** Changes a deploy in progress and renews its lease. */
  #change(id: string, change: Pick<Partial<MemoryDeploy>, 'status'>): void {
    const deploy = this.store.deploys.get(id);
    if (deploy?.leaseUntil === undefined || deploy.leaseUntil < Date.now()) throw new DeployInterrupted();
    this.store.deploys.set(id, { ...deploy, ...change, leaseUntil: Date.now() + LEASE_MS });
  }

  #release(appId: string, deployId: string): void {
    const app = this.store.apps.get(appId);
    if (app) this.store.apps.set(appId, { ...app, activeDeployId: deployId });
    this.store.releases.set(randomUUID(), { appId, deployId, isUndone: false });
  }

  #rollbackTargetOf(appId: string): string | undefined {
    const active = this.store.apps.get(appId)?.activeDeployId;
    return [...this.store.releases.values()].findLast(
      (release) =>
        release.appId === appId &&
        !release.isUndone &&
        release.deployId !== active &&
        this.store.deploys.get(release.deployId)?.status === 'ready',
    )?.deployId;
  }

  #appOf(organization: string, id: string) {
    const app = this.store.apps.get(id);
    return app?.organization === organization ? app : undefined;
  }

  #deployOf(organization: string, id: string): MemoryDeploy | undefined {
    const deploy = this.store.deploys.get(id);
    return deploy?.organization === organization ? deploy : undefined;
  }

  #whole(appId: string): AppRecord {
    const app = this.store.apps.get(appId);
    if (!app) throw new AppNotFound();
    return new App(app).toRecord(this.store.dnsOf(app.subdomain));
  }
}

function recordOf({ organization: _o, leaseUntil: _l, files: _f, rules: _r, problems: _p, ...record }: MemoryDeploy) {
  return record satisfies DeployRecord;
}
