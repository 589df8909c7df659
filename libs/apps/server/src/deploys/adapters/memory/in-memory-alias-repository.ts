import type { InMemoryApps } from '../../../shared/adapters/memory/in-memory-apps';
import { AliasRepository, type BranchAlias } from '../../application/alias-repository.port';

/** The branch aliases in memory, for tests. Passes the same contract suite as the PostgreSQL adapter. */
export class InMemoryAliasRepository extends AliasRepository {
  constructor(private readonly store: InMemoryApps) {
    super();
  }

  async move(alias: BranchAlias): Promise<boolean> {
    const numberOf = (id: string) => this.store.deploys.get(id)?.number ?? 0;
    const current = this.store.aliases.get(alias.label);
    const isMoved = current?.appId === alias.appId && numberOf(current.deployId) < numberOf(alias.deployId);
    if (current && !isMoved) return false;
    this.store.aliases.set(alias.label, alias);
    return true;
  }

  async release(appId: string, label: string): Promise<boolean> {
    return this.store.aliases.get(label)?.appId === appId && this.store.aliases.delete(label);
  }

  async releaseOf(deployId: string): Promise<void> {
    for (const alias of this.store.aliases.values()) {
      if (alias.deployId === deployId) this.store.aliases.delete(alias.label);
    }
  }
}
