import { createPublicKey, type JsonWebKey } from 'node:crypto';

const CURVES: Readonly<Record<string, string>> = {
  'P-256': 'ES256',
  'P-384': 'ES384',
  'P-521': 'ES512',
  Ed25519: 'EdDSA',
};
const RSA = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'];

interface Jwk {
  readonly kty?: unknown;
  readonly alg?: unknown;
  readonly crv?: unknown;
  readonly use?: unknown;
}

/** @param key an entry of a JSON Web Key Set. @returns the algorithms that it may sign with. */
export function algorithmsOf(key: unknown): readonly string[] {
  const { kty, alg, crv, use } = (typeof key === 'object' && key !== null ? key : {}) as Jwk;
  if (use === 'enc' || !isPublicKey(key)) return [];
  if (typeof alg === 'string') return [alg];
  if (kty === 'RSA') return RSA;
  return typeof crv === 'string' && CURVES[crv] !== undefined ? [CURVES[crv]] : [];
}

/** Shorter RSA keys are rejected (RFC 7518, section 3.3). */
const MIN_RSA_BITS = 2_048;

function isPublicKey(key: unknown): boolean {
  try {
    const { asymmetricKeyDetails } = createPublicKey({ key: key as JsonWebKey, format: 'jwk' });
    return (asymmetricKeyDetails?.modulusLength ?? MIN_RSA_BITS) >= MIN_RSA_BITS;
  } catch {
    return false;
  }
}
