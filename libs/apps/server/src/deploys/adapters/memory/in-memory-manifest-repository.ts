import type { InMemoryApps } from '../../../shared/adapters/memory/in-memory-apps';
import { type DividedManifest, ManifestRepository } from '../../application/manifest-repository.port';
import { DeployInterrupted } from '../../domain/deploys.errors';
import type { ManifestFile } from '../../domain/site-manifest';

const HOUR_MS = 60 * 60 * 1_000;
const comparePaths = (a: ManifestFile, b: ManifestFile) => Buffer.compare(Buffer.from(a.path), Buffer.from(b.path));

/** The manifests in memory, for tests. Passes the same contract suite as the PostgreSQL adapter. */
export class InMemoryManifestRepository extends ManifestRepository {
  constructor(private readonly store: InMemoryApps) {
    super();
  }

  async add(deployId: string, { linked, pending }: DividedManifest): Promise<void> {
    const deploy = this.store.deploys.get(deployId);
    if (deploy?.leaseUntil === undefined) throw new DeployInterrupted();
    this.store.manifests.set(deployId, pending.toSorted(comparePaths));
    this.store.deploys.set(deployId, { ...deploy, files: linked });
    await this.renew(deployId);
  }

  async pendingFiles(deployId: string): Promise<readonly ManifestFile[] | undefined> {
    return this.store.manifests.get(deployId);
  }

  async findFile(deployId: string, digest: string): Promise<ManifestFile | undefined> {
    const pending = this.store.manifests.get(deployId);
    const files = pending && [...pending, ...(this.store.deploys.get(deployId)?.files ?? [])];
    const found = files?.find((file) => file.digest === digest);
    return found && { path: found.path, size: found.size, digest };
  }

  async renew(deployId: string): Promise<void> {
    const deploy = this.store.deploys.get(deployId);
    if (deploy?.leaseUntil === undefined) return;
    this.store.deploys.set(deployId, { ...deploy, leaseUntil: Date.now() + HOUR_MS });
  }

  async countUnfinished(organization: string): Promise<number> {
    const deploys = [...this.store.manifests.keys()].map((id) => this.store.deploys.get(id));
    return deploys.filter((deploy) => deploy?.organization === organization && deploy.leaseUntil !== undefined).length;
  }

  async removeEnded(): Promise<number> {
    const ended = [...this.store.manifests.keys()].filter((id) => {
      const deploy = this.store.deploys.get(id);
      if (!deploy) return true;
      const endedAt = (deploy.readyAt ?? deploy.createdAt).getTime();
      return deploy.leaseUntil === undefined && endedAt < Date.now() - HOUR_MS;
    });
    for (const id of ended) {
      this.store.manifests.delete(id);
      const deploy = this.store.deploys.get(id);
      if (deploy && !deploy.readyAt) this.store.deploys.set(id, { ...deploy, files: [] });
    }
    return ended.length;
  }
}
