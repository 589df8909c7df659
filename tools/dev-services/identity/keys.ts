import { calculateJwkThumbprint, exportJWK, generateKeyPair } from 'jose';
import type { JWK, JWKS } from 'oidc-provider';
import { z } from 'zod';
import { loadOrCreate } from '../private-file.ts';

export type SigningAlgorithm = 'RS256' | 'ES256';

const keySetFile: z.ZodType<JWKS> = z.object({
  keys: z.array(z.looseObject({ kty: z.string(), kid: z.string(), alg: z.string() })).min(1),
});

/** Returns an issuer's private signing keys, one per algorithm, generated on first use and stored at `path`. */
export function signingKeys(path: string, algorithms: readonly SigningAlgorithm[]): Promise<JWKS> {
  return loadOrCreate(path, keySetFile, async () => ({ keys: await Promise.all(algorithms.map(generateKey)) }));
}

async function generateKey(alg: SigningAlgorithm): Promise<JWK> {
  const { privateKey } = await generateKeyPair(alg, { extractable: true });
  const jwk = await exportJWK(privateKey);
  return { ...jwk, alg, use: 'sig', kid: await calculateJwkThumbprint(jwk) };
}
