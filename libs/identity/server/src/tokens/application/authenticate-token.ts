import { timingSafeEqual } from 'node:crypto';
import type { Actor } from '@homeport/identity/contracts';
import { LRUCache } from 'lru-cache';
import { type Clock, SYSTEM_CLOCK } from '../../application/clock';
import { TokenExpired, TokenInvalid } from '../../domain/identity.errors';
import { hashOf } from '../../domain/session-handle';
import { actorOfToken, isExpired, type TokenRecord } from '../domain/token-record';
import { assertTokenChecksum } from '../domain/token-secret';
import type { TokenRepository } from './token-repository.port';

/** Counted from the start of the query. A revoked token must be rejected within one second. */
const CACHE_TTL_MS = 500;
const MAX_CACHED = 10_000;
/** How often the use of one token is stored, so that requests cause no write each. */
export const USE_INTERVAL_MS = 60_000;

export interface AuthenticateTokenDependencies {
  readonly tokens: TokenRepository;
  readonly clock?: Clock | undefined;
  /** A monotonic clock in milliseconds, for the cache. */
  readonly monotonicNow?: (() => number) | undefined;
  /** Called when a use could not be stored. Requests do not depend on it. */
  readonly reportFailure?: ((error: unknown) => void) | undefined;
}

/** Authenticates the bearer of a token that Homeport issued. */
export class AuthenticateToken {
  readonly #cache: LRUCache<string, TokenRecord>;
  readonly #recentUses: LRUCache<string, true>;
  readonly #clock: Clock;

  constructor(private readonly dependencies: AuthenticateTokenDependencies) {
    this.#clock = dependencies.clock ?? SYSTEM_CLOCK;
    const perf = { now: dependencies.monotonicNow ?? (() => performance.now()) };
    this.#recentUses = new LRUCache({ max: MAX_CACHED, ttl: USE_INTERVAL_MS, ttlResolution: 0, perf });
    this.#cache = new LRUCache({
      max: MAX_CACHED,
      ttl: CACHE_TTL_MS,
      ttlResolution: 0,
      perf,
      fetchMethod: async (key, _stale, { options }) => {
        const started = perf.now();
        const token = await dependencies.tokens.findByHash(Buffer.from(key, 'base64url'));
        // The token may have been revoked while a slow answer was on its way.
        options.ttl = Math.max(1, CACHE_TTL_MS - (perf.now() - started));
        return token;
      },
    });
  }

  /**
   * @param secret the bearer token of the request.
   * @throws {TokenInvalid} for a malformed, unknown or revoked token. @throws {TokenExpired} @throws {DatabaseUnavailable}
   */
  async execute(secret: string): Promise<Actor> {
    assertTokenChecksum(secret);
    const hash = hashOf(secret);
    const token = await this.#cache.fetch(hash.toString('base64url'));
    if (!token || !timingSafeEqual(token.hash, hash)) throw new TokenInvalid('the token is unknown or revoked');
    const now = this.#clock.now();
    if (isExpired(token, now)) throw new TokenExpired();
    this.#recordUse(token.id, new Date(now));
    return actorOfToken(token);
  }

  /** Does not wait, and never fails. */
  #recordUse(id: string, at: Date): void {
    if (this.#recentUses.has(id)) return;
    this.#recentUses.set(id, true);
    this.dependencies.tokens.recordUse(id, at).catch((error: unknown) => {
      this.#recentUses.delete(id);
      this.dependencies.reportFailure?.(error);
    });
  }
}
