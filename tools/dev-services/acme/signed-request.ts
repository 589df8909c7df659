import { createSecretKey } from 'node:crypto';
import { calculateJwkThumbprint, decodeProtectedHeader, flattenedVerify, importJWK } from 'jose';
import { z } from 'zod';
import { AcmeProblem } from './problem.ts';

const ALGORITHMS = ['ES256', 'ES384', 'EdDSA', 'RS256'];

const key = z.looseObject({ kty: z.string() });
type Key = z.infer<typeof key>;
const signedBody = z.object({ protected: z.string(), payload: z.string(), signature: z.string() });
const header = z.looseObject({
  alg: z.enum(ALGORITHMS),
  nonce: z.string(),
  url: z.string(),
  jwk: key.optional(),
  kid: z.string().optional(),
});

/** A request whose signature is right (RFC 8555, section 6.2). */
export interface SignedRequest {
  readonly key: Key;
  /** The URL of the account; undefined before it is registered. */
  readonly account: string | undefined;
  /** Undefined reads a resource. */
  readonly payload: unknown;
}

export interface Verification {
  /** The URL of the request. */
  readonly url: string;
  /** @returns whether the nonce was given out, and is not used. */
  readonly useNonce: (nonce: string) => boolean;
  /** @param account its URL. */
  readonly keyOf: (account: string) => Key | undefined;
}

/** @throws {AcmeProblem} */
export async function verifyRequest(body: unknown, verification: Verification): Promise<SignedRequest> {
  const signed = signedBody.safeParse(body);
  if (!signed.success) throw new AcmeProblem('malformed', 'The body is not a signed request.');
  const parsed = header.safeParse(protectedHeaderOf(signed.data));
  if (!parsed.success) throw new AcmeProblem('malformed', 'The protected header is not complete.');
  const { alg, jwk, kid, nonce, url } = parsed.data;
  if (url !== verification.url) throw new AcmeProblem('unauthorized', 'The request was signed for another URL.', 401);
  if (!verification.useNonce(nonce)) throw new AcmeProblem('badNonce', 'The nonce is not known.');
  const own = kid === undefined ? jwk : verification.keyOf(kid);
  if (!own) throw new AcmeProblem('accountDoesNotExist', 'The account is not known.');
  try {
    const { payload } = await flattenedVerify(signed.data, await importJWK(own, alg));
    return { key: own, account: kid, payload: payload.length > 0 ? (parse(payload) as unknown) : undefined };
  } catch {
    throw new AcmeProblem('malformed', 'The signature is wrong.');
  }
}

const binding = z.object({ externalAccountBinding: signedBody });

/**
 * Checks that the owner of the secret wants an account for a key (RFC 8555, section 7.3.4).
 * @param secret in base64url. @throws {AcmeProblem}
 */
export async function verifyBinding({ key: own, payload }: SignedRequest, secret: string): Promise<void> {
  const given = binding.safeParse(payload);
  const required = new AcmeProblem('externalAccountRequired', 'The key of this machine has to sign the account.', 403);
  if (!given.success) throw required;
  try {
    const { externalAccountBinding } = given.data;
    const mac = createSecretKey(Buffer.from(secret, 'base64url'));
    const bound = await flattenedVerify(externalAccountBinding, mac, { algorithms: ['HS256'] });
    if ((await thumbprintOf(key.parse(parse(bound.payload)))) !== (await thumbprintOf(own))) throw required;
  } catch {
    throw required;
  }
}

export function thumbprintOf(own: Key): Promise<string> {
  return calculateJwkThumbprint(own);
}

function protectedHeaderOf(signed: z.infer<typeof signedBody>): unknown {
  try {
    return decodeProtectedHeader(signed);
  } catch {
    return undefined;
  }
}

function parse(bytes: Uint8Array): unknown {
  return JSON.parse(Buffer.from(bytes).toString('utf8'));
}
