import type { KeyObject } from 'node:crypto';
import { compactVerify } from 'jose';
import { LRUCache } from 'lru-cache';
import { TokenInvalid } from '../../domain/identity.errors';
import { checkTokenHeader, type KeyReference, type TokenRules } from '../../domain/token-policy';

/** Verifying costs a hundred times what looking up does; a caller sends one token with many requests. */
const CACHE_TTL_MS = 30_000;
const CACHE_MAX_ENTRIES = 10_000;

interface Verified {
  readonly name: KeyReference;
  readonly key: KeyObject;
  readonly claims: unknown;
}

/**
 * Checks signatures, and remembers for a while that they were good. Only the signature is remembered: the policy looks
 * at the claims of every request, and a key that was withdrawn or replaced is another key.
 */
export class CachingTokenVerifier {
  readonly #verified: LRUCache<string, Verified>;
  readonly #algorithms: readonly string[];

  /** @param now milliseconds on a clock that never goes back. */
  constructor(
    private readonly rules: TokenRules,
    now: () => number = () => performance.now(),
  ) {
    this.#verified = new LRUCache({ max: CACHE_MAX_ENTRIES, ttl: CACHE_TTL_MS, ttlResolution: 0, perf: { now } });
    this.#algorithms = [...rules.algorithms];
  }

  /** The name of the key that signed a token, after everything that can be checked before. @throws {TokenInvalid} */
  keyReferenceOf(token: string): KeyReference {
    return this.#verified.get(token)?.name ?? checkTokenHeader(token, this.rules);
  }

  /** The claims that `key` signed, of whatever type they are. @throws {TokenInvalid} */
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
    throw new TokenInvalid(`the signature is not good: ${error instanceof Error ? error.message : 'unknown'}`);
  }
}
