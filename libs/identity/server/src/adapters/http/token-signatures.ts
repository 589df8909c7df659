import { createHash, type KeyObject } from 'node:crypto';
import { compactVerify } from 'jose';
import { LRUCache } from 'lru-cache';
import { TokenInvalid } from '../../domain/identity.errors';

/** Verifying costs a hundred times what looking up does; a caller sends one token with many requests. */
const REMEMBERED_MS = 30_000;
const REMEMBERED = 10_000;

interface Verified {
  readonly key: KeyObject;
  readonly claims: unknown;
}

/**
 * Checks signatures, and remembers for a while that they were good. Only the signature is remembered: the policy looks
 * at the claims of every request, and a key that was withdrawn or replaced is another key.
 */
export class TokenSignatures {
  /** By digest: tokens are secrets, and a heap dump should not be a list of them. */
  readonly #verified = new LRUCache<string, Verified>({ max: REMEMBERED, ttl: REMEMBERED_MS });

  /** The claims that `key` signed, of whatever type they are. @throws {TokenInvalid} */
  async claimsOf(token: string, key: KeyObject, algorithms: readonly string[]): Promise<unknown> {
    const digest = createHash('sha256').update(token).digest('base64');
    const known = this.#verified.get(digest);
    if (known?.key === key) return known.claims;
    const claims = await verifiedClaims(token, key, algorithms);
    this.#verified.set(digest, { key, claims });
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
