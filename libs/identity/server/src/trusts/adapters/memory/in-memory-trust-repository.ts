import { TrustRepository } from '../../application/trust-repository.port';
import type { ExchangedSubjectToken } from '../../domain/exchanged-subject-token';
import type { TrustRecord } from '../../domain/trust-record';

/** Trusts in memory, for tests. */
export class InMemoryTrustRepository extends TrustRepository {
  /** @param trusts by their ids. @param exchanged by digest and app. */
  constructor(
    private readonly trusts: Map<string, TrustRecord> = new Map(),
    private readonly exchanged: Map<string, ExchangedSubjectToken> = new Map(),
  ) {
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

  async recordExchange(token: ExchangedSubjectToken): Promise<boolean> {
    const key = `${token.digest.toString('hex')} ${token.appId}`;
    if (this.exchanged.has(key)) return false;
    this.exchanged.set(key, token);
    return true;
  }

  async removeExpiredExchanges(before: Date): Promise<void> {
    for (const [key, { expiresAt }] of this.exchanged) if (expiresAt < before) this.exchanged.delete(key);
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
