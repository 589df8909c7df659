import type { KeyObject } from 'node:crypto';
import { compactVerify } from 'jose';
import { LRUCache } from 'lru-cache';
import { TokenInvalid } from '../../domain/identity.errors';
import { checkTokenHeader, type KeyReference, type TokenRules } from '../../domain/token-policy';

/** A cache hit is about 100 times cheaper than a verification, and clients reuse a token for many requests. */
const CACHE_TTL_MS = 30_000;
const CACHE_MAX_ENTRIES = 10_000;

interface Verified {
  readonly name: KeyReference;
  readonly key: KeyObject;
  readonly claims: unknown;
}

/**
 * Verifies signatures and caches successful verifications. Only the signature is cached: the policy checks the claims
 * of every request, and a withdrawn or replaced key is a different key object and misses the cache.
 */
export class CachingTokenVerifier {
  readonly #verified: LRUCache<string, Verified>;
  readonly #algorithms: readonly string[];

  /** @param now a monotonic clock in milliseconds. */
  constructor(
    private readonly rules: Pick<TokenRules, 'algorithms'>,
    now: () => number = () => performance.now(),
  ) {
    this.#verified = new LRUCache({ max: CACHE_MAX_ENTRIES, ttl: CACHE_TTL_MS, ttlResolution: 0, perf: { now } });
    this.#algorithms = [...rules.algorithms];
  }

  /** Checks the token header and returns the reference of the signing key. @throws {TokenInvalid} */
  keyReferenceOf(token: string): KeyReference {
    return this.#verified.get(token)?.name ?? checkTokenHeader(token, this.rules);
  }

  /** Verifies the signature with `key` and returns the claims, of any type. @throws {TokenInvalid} */
  async claimsOf(token: string, key: KeyObject): Promise<unknown> {
    const known = this.#verified.get(token);
    if (known?.key === key) return known.claims;
    const name = checkTokenHeader(token, this.rules);
    const claims = await verifiedClaims(token, key, this.#algorithms);
    this.#verified.set(token, { name, key, claims });
    return claims;
  }
}

async function verifiedClaims(token: string, key: KeyObject, algorithms: readonly string[]): Promise<unknown> {
  try {
    const { payload } = await compactVerify(token, key, { algorithms: [...algorithms] });
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(payload)) as unknown;
  } catch (error) {
    throw new TokenInvalid(`the signature is invalid: ${error instanceof Error ? error.message : 'unknown'}`);
  }
}
