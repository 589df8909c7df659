import { TokenRepository } from '../../application/token-repository.port';
import type { TokenOwner, TokenRecord } from '../../domain/token-record';

/** Tokens in memory, for tests. */
export class InMemoryTokenRepository extends TokenRepository {
  /** @param tokens by their ids. */
  constructor(private readonly tokens: Map<string, TokenRecord> = new Map()) {
    super();
  }

  async add(token: TokenRecord): Promise<void> {
    const isKnown = this.tokens.has(token.id) || (await this.findByHash(token.hash)) !== undefined;
    if (isKnown) throw new Error('a token with this id or hash exists');
    this.tokens.set(token.id, token);
  }

  async findByHash(hash: Buffer): Promise<TokenRecord | undefined> {
    return [...this.tokens.values()].find((token) => token.hash.equals(hash));
  }

  async lock(): Promise<void> {
    // A map has no transactions to wait for.
  }

  async list(owner: TokenOwner): Promise<readonly TokenRecord[]> {
    return [...this.tokens.values()]
      .filter((token) => isOwnedBy(token, owner))
      .toSorted((a, b) => b.createdAt.getTime() - a.createdAt.getTime() || (a.id < b.id ? 1 : -1));
  }

  async remove(owner: TokenOwner, id: string): Promise<TokenRecord | undefined> {
    const token = this.tokens.get(id.toLowerCase());
    if (!token || !isOwnedBy(token, owner)) return undefined;
    this.tokens.delete(token.id);
    return token;
  }

  async removeByTrust(trustId: string): Promise<void> {
    this.#removeAll((token) => token.trustId === trustId);
  }

  async removeExpiredAccessTokens(before: Date): Promise<void> {
    this.#removeAll(({ kind, expiresAt }) => kind === 'ci' && expiresAt !== undefined && expiresAt < before);
  }

  async recordUse(id: string, at: Date): Promise<void> {
    const token = this.tokens.get(id);
    if (!token || (token.lastUsedAt !== undefined && token.lastUsedAt >= at)) return;
    this.tokens.set(id, { ...token, lastUsedAt: at });
  }

  #removeAll(isRemoved: (token: TokenRecord) => boolean): void {
    for (const token of [...this.tokens.values()].filter(isRemoved)) this.tokens.delete(token.id);
  }
}

function isOwnedBy(token: TokenRecord, owner: TokenOwner): boolean {
  if (owner.kind === 'organization') return token.kind === owner.kind && token.organization === owner.organization;
  return token.kind === owner.kind && token.issuer === owner.issuer && token.subject === owner.subject;
}
