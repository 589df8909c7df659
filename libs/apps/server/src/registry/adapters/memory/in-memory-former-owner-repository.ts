import { FormerOwnerRepository } from '../../application/former-owner-repository.port';
import { DAY_MS, type NameHistory, type NewFormerOwner } from '../../domain/former-owner';
import type { InMemoryApps } from '../../../shared/adapters/memory/in-memory-apps';

/** The former owners of names in memory, for tests. */
export class InMemoryFormerOwnerRepository extends FormerOwnerRepository {
  constructor(private readonly store: InMemoryApps) {
    super();
  }

  async historyOf(subdomain: string, maxLaterReleases: number): Promise<NameHistory> {
    const former = this.store.formerOwners.get(subdomain);
    const later = [...this.store.formerOwners.values()].filter(
      (other) => former && other.organization === former.organization && other.releasedAt > former.releasedAt,
    );
    return {
      readAt: new Date(),
      recordOwner: this.store.records.get(subdomain)?.organization,
      formerOwner: former && { ...former, laterReleases: Math.min(later.length, maxLaterReleases) },
    };
  }

  async add({ subdomain, organization, clearsDataUntil }: NewFormerOwner): Promise<void> {
    this.store.formerOwners.set(subdomain, { organization, clearsDataUntil, releasedAt: new Date() });
  }

  async remove(subdomain: string): Promise<void> {
    this.store.formerOwners.delete(subdomain);
  }

  async removeReleasedBefore(days: number): Promise<void> {
    const limit = Date.now() - days * DAY_MS;
    for (const [subdomain, { releasedAt }] of this.store.formerOwners) {
      if (releasedAt.getTime() < limit) this.store.formerOwners.delete(subdomain);
    }
  }
}
