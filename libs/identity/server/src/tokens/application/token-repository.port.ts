import type { TokenOwner, TokenRecord } from '../domain/token-record';

/** Stores tokens. Every method can reject with DatabaseUnavailable. */
export abstract class TokenRepository {
  /** Adds a token. Rejects when a token has the same id or hash. */
  abstract add(token: TokenRecord): Promise<void>;

  /** @returns the token with this hash, also when it has expired; undefined for an unknown hash. */
  abstract findByHash(hash: Buffer): Promise<TokenRecord | undefined>;

  /** Makes other units of work that lock this owner wait until this one ends. */
  abstract lock(owner: TokenOwner): Promise<void>;

  /** Lists the tokens of an owner, newest first. Access tokens of pipelines have no owner. */
  abstract list(owner: TokenOwner): Promise<readonly TokenRecord[]>;

  /** @returns the removed token; undefined when the owner has none with this id, or the id is malformed. */
  abstract remove(owner: TokenOwner, id: string): Promise<TokenRecord | undefined>;

  /** Removes the access tokens that pipelines received through a trust. */
  abstract removeByTrust(trustId: string): Promise<void>;

  /** Removes access tokens of pipelines that expired before a time. */
  abstract removeExpiredAccessTokens(before: Date): Promise<void>;

  /** Records a use, unless a later one is recorded. Does nothing for a removed token. */
  abstract recordUse(id: string, at: Date): Promise<void>;
}
