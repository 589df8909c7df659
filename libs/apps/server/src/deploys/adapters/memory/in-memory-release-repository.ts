import { randomUUID } from 'node:crypto';
import { ReleaseRepository } from '../../application/release-repository.port';
import type { InMemoryApps } from '../../../shared/adapters/memory/in-memory-apps';

/** The releases in memory, for tests. */
export class InMemoryReleaseRepository extends ReleaseRepository {
  constructor(private readonly store: InMemoryApps) {
    super();
  }

  async add(appId: string, deployId: string): Promise<void> {
    this.store.releases.set(randomUUID(), { appId, deployId, isRolledBack: false, at: new Date() });
  }

  async markRolledBack(appId: string, deployId: string): Promise<void> {
    for (const [id, release] of this.store.releases) {
      if (release.appId !== appId || release.deployId !== deployId) continue;
      this.store.releases.set(id, { ...release, isRolledBack: true });
    }
  }

  async includes(deployId: string): Promise<boolean> {
    return [...this.store.releases.values()].some((release) => release.deployId === deployId);
  }

  async rollbackTargetOf(appId: string, activeDeployId: string | null): Promise<string | undefined> {
    return this.store.rollbackTargetOf(appId, activeDeployId);
  }
}
