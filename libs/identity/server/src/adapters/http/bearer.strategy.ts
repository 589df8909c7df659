import type { KeyObject } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import { DomainError } from '@homeport/platform/server';
import type { FastifyRequest } from 'fastify';
import { type SecretOrKeyProvider, Strategy, type StrategyOptionsWithoutRequest } from 'passport-jwt';
import { KeySet } from '../../application/key-set.port';
import { KeysUnavailable, TokenInvalid } from '../../domain/identity.errors';
import type { Principal } from '../../domain/principal';
import { principalOf, type TokenRules } from '../../domain/token-policy';
import { CachingTokenVerifier } from './caching-token-verifier';

/**
 * passport-jwt asks for token, key and claims in turn; jose, behind a memory, verifies the signature; every decision about the content is the
 * token policy's. passport-jwt's own verifier accepts tokens without `exp`, ID tokens and unknown `crit` headers, and
 * knows no EdDSA.
 */
@Injectable()
export class BearerStrategy extends PassportStrategy(Strategy, 'bearer') {
  constructor(
    private readonly rules: TokenRules,
    keys: KeySet,
  ) {
    const signatures = new CachingTokenVerifier(rules);
    super({
      jwtFromRequest: bearerIn,
      secretOrKeyProvider: keyProvider(signatures, keys),
    } satisfies StrategyOptionsWithoutRequest);
    // The library's seam for another verifier is a static member.
    Object.assign(Strategy, { JwtVerifier: verifier(signatures) });
  }

  /** Called with claims whose signature is verified. */
  validate(claims: unknown): Principal {
    return principalOf(claims, this.rules, Date.now() / 1000);
  }
}

/** The one token of the header. The library's own extractor reads past whatever stands around one. */
function bearerIn({ headers, raw }: FastifyRequest): string | null {
  // Of two headers Node hands on the first, and what stands before it may have looked at the other one.
  if (raw.rawHeaders.filter(isAuthorization).length > 1) return null;
  return /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1] ?? null;
}

/** Names and values of raw headers take turns. */
function isAuthorization(each: string, index: number): boolean {
  return index % 2 === 0 && each.toLowerCase() === 'authorization';
}

type Verified = (error: unknown, claims?: unknown) => void;

function verifier(signatures: CachingTokenVerifier) {
  return (token: string, key: KeyObject, _options: unknown, done: Verified): void => {
    signatures.claimsOf(token, key).then((claims) => done(null, claims), done);
  };
}

function keyProvider(signatures: CachingTokenVerifier, keys: KeySet): SecretOrKeyProvider {
  return (_request: unknown, token: string, done) => {
    findKey(signatures, keys, token).then(
      (key) => done(null, key),
      // Whatever keeps a key from being found for a reason of ours says nothing about the token: never a 401.
      (error: unknown) => done(error instanceof DomainError ? error : new KeysUnavailable({ cause: error })),
    );
  };
}

/** A key object is no string or buffer, which is what the library's types ask for; it only hands it on. */
async function findKey(signatures: CachingTokenVerifier, keys: KeySet, token: string): Promise<never> {
  const key = await keys.find(signatures.keyReferenceOf(token));
  if (key === undefined) throw new TokenInvalid('the key id is unknown');
  return key as never;
}
