import { TrustRepository } from '../../application/trust-repository.port';
import type { TrustRecord } from '../../domain/trust-record';

/** Trusts in memory, for tests. */
export class InMemoryTrustRepository extends TrustRepository {
  /** @param trusts by their ids. */
  constructor(private readonly trusts: Map<string, TrustRecord> = new Map()) {
    super();
  }

  async add(trust: TrustRecord): Promise<void> {
    this.trusts.set(trust.id, trust);
  }

  async lock(): Promise<void> {
    // A map has no transactions to wait for.
  }

  async list(organization: string, appId: string): Promise<readonly TrustRecord[]> {
    return this.#oldestFirst((trust) => trust.organization === organization && isOf(trust, appId)).toReversed();
  }

  async findByIssuer(appId: string, issuer: string): Promise<readonly TrustRecord[]> {
    return this.#oldestFirst((trust) => trust.issuer === issuer && isOf(trust, appId));
  }

  async remove(organization: string, appId: string, id: string): Promise<TrustRecord | undefined> {
    const trust = this.trusts.get(id.toLowerCase());
    if (trust?.organization !== organization || !isOf(trust, appId)) return undefined;
    this.trusts.delete(trust.id);
    return trust;
  }

  async recordUse(id: string, at: Date): Promise<boolean> {
    const trust = this.trusts.get(id);
    if (!trust) return false;
    const isLater = trust.lastUsedAt === undefined || trust.lastUsedAt < at;
    if (isLater) this.trusts.set(id, { ...trust, lastUsedAt: at });
    return true;
  }

  #oldestFirst(isIncluded: (trust: TrustRecord) => boolean): TrustRecord[] {
    return [...this.trusts.values()]
      .filter(isIncluded)
      .toSorted((a, b) => a.createdAt.getTime() - b.createdAt.getTime() || (a.id < b.id ? -1 : 1));
  }
}

function isOf({ appId }: TrustRecord, id: string): boolean {
  return appId === id.toLowerCase();
}
