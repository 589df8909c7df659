import { randomUUID } from 'node:crypto';
import type { DeployError, DeployFile, DeployProblem, DeploySource } from '@homeport/apps/contracts';
import { displayNameOf, type Member } from '@homeport/identity/contracts';
import type { PageRequest } from '../../../shared/application/list-request';
import {
  type DeployCompletion,
  type DeployPage,
  DeployRepository,
  FILES_PER_PAGE,
  type FilePageRequest,
  type FailedDeployRetention,
  type ReadyDeploy,
} from '../../application/deploy-repository.port';
import { appDomainsOf } from '../../../domains/domain/app-domains';
import { AppNotFound } from '../../../registry/domain/apps.errors';
import { INTERRUPTED, UNFINISHED } from '../../application/deploy-failure';
import type { DeployContents, DeployFilePage, DeployRecord } from '../../domain/deploy-record';
import { DeployInterrupted } from '../../domain/deploys.errors';
import { NO_RULES, type RevisionScope, type ServerPlan, type SiteRules } from '@homeport/hosting/contracts';
import type { InMemoryApps, MemoryDeploy } from '../../../shared/adapters/memory/in-memory-apps';

const LEASE_MS = 30_000;
/** Compares by UTF-8 bytes, as PostgreSQL's collation "C" does. JavaScript compares UTF-16 code units. */
const comparePaths = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));

/** The deploy repository in memory, for tests. Passes the same contract suite as the PostgreSQL adapter. */
export class InMemoryDeployRepository extends DeployRepository {
  constructor(private readonly store: InMemoryApps) {
    super();
  }

  begin(member: Member, appId: string, source?: DeploySource): Promise<DeployRecord> {
    const { organization } = member;
    return this.store.exclusively(() => {
      if (!this.#appOf(organization, appId)) throw new AppNotFound();
      const number = (this.store.lastNumbers.get(appId) ?? 0) + 1;
      this.store.lastNumbers.set(appId, number);
      const deploy = newDeploy(member, { appId, number, source });
      this.store.deploys.set(deploy.id, deploy);
      return this.#recordOf(deploy);
    });
  }

  renew(id: string): Promise<void> {
    return this.store.exclusively(() => this.#change(id, {}));
  }

  beginProcessing(id: string): Promise<void> {
    return this.store.exclusively(() => this.#change(id, { status: 'processing' }));
  }

  async beginStarting(id: string, { framework }: ServerPlan, startScope: RevisionScope): Promise<void> {
    const status = this.store.deploys.get(id)?.status;
    if (status !== 'uploading' && status !== 'processing') throw new DeployInterrupted();
    this.#change(id, { status: 'starting', framework, startScope });
  }

  fail(id: string, error: DeployError, problems: readonly DeployProblem[]): Promise<void> {
    return this.store.exclusively(() => this.#fail(id, error, problems));
  }

  /** Units of work run one after the other. */
  async claimCompletion(id: string): Promise<boolean> {
    return this.store.deploys.get(id)?.leaseUntil !== undefined;
  }

  async addFiles(id: string, files: ReadyDeploy['files']): Promise<void> {
    const deploy = this.store.deploys.get(id);
    if (deploy) this.store.deploys.set(id, { ...deploy, files: [...deploy.files, ...files] });
  }

  async complete(id: string, { rules, problems, isHeldBack }: DeployCompletion): Promise<DeployRecord | undefined> {
    const deploy = this.store.deploys.get(id);
    if (deploy?.leaseUntil === undefined) return undefined;
    const { files } = deploy;
    const totalBytes = files.reduce((sum, { size }) => sum + size, 0);
    const ready = { status: 'ready', readyAt: new Date(), leaseUntil: undefined, totalBytes } as const;
    const completed = { ...deploy, ...ready, fileCount: files.length, rules, problems, isHeldBack };
    this.store.deploys.set(id, completed);
    return this.#recordOf(completed);
  }

  async list(organization: string, appId: string, { limit, after }: PageRequest): Promise<DeployPage | undefined> {
    const all = this.store.deploysOf(appId).filter((deploy) => deploy.organization === organization);
    if (all.length === 0 && !this.#appOf(organization, appId)) return undefined;
    const start = after ? all.findIndex(({ id }) => id === after.id) + 1 : 0;
    const shown = all.slice(start, start + limit);
    const last = shown.at(-1);
    const isLast = start + shown.length >= all.length;
    const end = last && { id: last.id, createdAtMicros: String(last.createdAt.getTime() * 1_000) };
    return { deploys: shown.map((deploy) => this.#recordOf(deploy)), ...(!isLast && end && { end }) };
  }

  async find(organization: string, id: string): Promise<DeployRecord | undefined> {
    const deploy = this.#deployOf(organization, id);
    return deploy && this.#recordOf(deploy);
  }

  /** Units of work run one after the other. */
  lock(organization: string, id: string): Promise<DeployRecord | undefined> {
    return this.find(organization, id);
  }

  async contentsOf(id: string): Promise<DeployContents> {
    const { problems = [] } = this.store.deploys.get(id) ?? {};
    return { ...(await this.listFiles(id, { limit: FILES_PER_PAGE })), problems };
  }

  async listFiles(id: string, { limit, after }: FilePageRequest): Promise<DeployFilePage> {
    const { files: all = [] } = this.store.deploys.get(id) ?? {};
    const rest = all
      .map((file) => ({ ...file, path: file.bundlePath ?? file.path }))
      .filter(({ path }) => after === undefined || comparePaths(path, after) > 0)
      .toSorted((a, b) => comparePaths(a.path, b.path));
    const files = rest.slice(0, limit);
    const last = files.at(-1);
    const described = files.map(({ path, size, contentType, digest }): DeployFile => ({
      path,
      size,
      content_type: contentType,
      digest: `sha-256:${digest}`,
    }));
    return { filesJson: JSON.stringify(described), ...(last && rest.length > limit && { end: last.path }) };
  }

  async existingPaths(id: string, paths: readonly string[]): Promise<ReadonlySet<string>> {
    const { files = [] } = this.store.deploys.get(id) ?? {};
    const served = files.filter(({ path, role }) => role !== 'server' && paths.includes(path));
    return new Set(served.map(({ path }) => path));
  }

  async findNestedFile(id: string, name: string): Promise<string | undefined> {
    const { files = [] } = this.store.deploys.get(id) ?? {};
    const paths = files.map(({ path }) => path).filter((path) => path.endsWith(`/${name}`));
    const depthOf = (path: string) => path.split('/').length;
    return paths.toSorted((a, b) => depthOf(a) - depthOf(b) || comparePaths(a, b))[0];
  }

  async rulesOf(id: string): Promise<SiteRules> {
    return this.store.deploys.get(id)?.rules ?? NO_RULES;
  }

  async rollbackTargetOf(id: string): Promise<DeployRecord | undefined> {
    const app = [...this.store.apps.values()].find(({ activeDeployId }) => activeDeployId === id);
    const target = app && this.store.deploys.get(this.store.rollbackTargetOf(app.id, id) ?? '');
    return target && this.#recordOf(target);
  }

  async withdraw(organization: string, id: string): Promise<DeployRecord | undefined> {
    const deploy = this.#deployOf(organization, id);
    if (deploy) this.store.deploys.delete(id);
    return deploy && this.#recordOf(deploy);
  }

  async archiveAll(appId: string): Promise<number> {
    return this.store.archive(this.store.deploysOf(appId).filter(({ status }) => status !== 'archived'));
  }

  /** Deletion removes everything at once, so no rows remain. */
  async removeDeleted(): Promise<number> {
    return 0;
  }

  failAbandoned(): Promise<number> {
    return this.store.exclusively(() => {
      const lost = [...this.store.deploys.values()].filter(({ leaseUntil = Infinity }) => leaseUntil < Date.now());
      for (const { id, status } of lost) {
        const isUnfinished = status !== 'starting' && this.store.manifests.has(id);
        this.#fail(id, isUnfinished ? UNFINISHED : INTERRUPTED, []);
      }
      return lost.length;
    });
  }

  archiveBeyond(limit: number): Promise<number> {
    return this.store.exclusively(() => this.#archiveBeyond(limit));
  }

  #archiveBeyond(limit: number): number {
    let archived = 0;
    for (const { id, activeDeployId } of this.store.apps.values()) {
      const needed = [activeDeployId, this.store.rollbackTargetOf(id, activeDeployId)];
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
    const removed = old.filter(({ id }) => !this.store.manifests.has(id));
    for (const { id } of removed) this.store.deploys.delete(id);
    return removed.length;
  }

  #fail(id: string, error: DeployError, problems: readonly DeployProblem[]): void {
    const deploy = this.store.deploys.get(id);
    if (deploy?.leaseUntil === undefined) return;
    this.store.deploys.set(id, { ...deploy, status: 'failed', error, problems, leaseUntil: undefined });
  }

  /** Changes a deploy in progress and renews its lease. */
  #change(id: string, change: Pick<Partial<MemoryDeploy>, 'status' | 'framework' | 'startScope'>): void {
    const deploy = this.store.deploys.get(id);
    if (deploy?.leaseUntil === undefined || deploy.leaseUntil < Date.now()) throw new DeployInterrupted();
    this.store.deploys.set(id, { ...deploy, ...change, leaseUntil: Date.now() + LEASE_MS });
  }

  #recordOf(deploy: MemoryDeploy): DeployRecord {
    const release = [...this.store.releases.values()].find(({ deployId }) => deployId === deploy.id);
    const alias = [...this.store.aliases.values()].find(({ deployId }) => deployId === deploy.id);
    return {
      ...factsOf(deploy),
      alias: deploy.status === 'ready' ? alias?.label : undefined,
      baseDomain: this.#baseDomainOf(deploy),
      firstLiveAt: release?.at,
      problemCount: deploy.problems.length,
    };
  }

  #baseDomainOf({ appId, organization }: MemoryDeploy): string | undefined {
    const domains = appDomainsOf({ id: appId, organization }, this.store.domainClaims.values());
    return domains.find(({ kind, isPrimary }) => kind === 'base' && isPrimary)?.name;
  }

  #appOf(organization: string, id: string) {
    const app = this.store.apps.get(id);
    return app?.organization === organization ? app : undefined;
  }

  #deployOf(organization: string, id: string): MemoryDeploy | undefined {
    const deploy = this.store.deploys.get(id);
    return deploy?.organization === organization ? deploy : undefined;
  }
}

function newDeploy(member: Member, given: Pick<MemoryDeploy, 'appId' | 'number' | 'source'>): MemoryDeploy {
  return {
    ...given,
    id: randomUUID(),
    organization: member.organization,
    status: 'uploading',
    fileCount: 0,
    totalBytes: 0,
    createdBy: displayNameOf(member),
    createdAt: new Date(),
    readyAt: undefined,
    archivedAt: undefined,
    isHeldBack: false,
    framework: undefined,
    error: undefined,
    leaseUntil: Date.now() + LEASE_MS,
    files: [],
    rules: NO_RULES,
    problems: [],
  };
}

function factsOf({ organization: _o, leaseUntil: _l, files: _f, rules: _r, problems: _p, ...facts }: MemoryDeploy) {
  return facts satisfies Omit<DeployRecord, 'alias' | 'baseDomain' | 'firstLiveAt' | 'problemCount'>;
}
