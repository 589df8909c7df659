import type { KeyObject } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import { DomainError } from '@homeport/kernel';
import { type SecretOrKeyProvider, Strategy, type StrategyOptionsWithoutRequest } from 'passport-jwt';
import { KeySet } from '../../application/key-set.port';
import { KeysUnavailable, TokenInvalid } from '../../domain/identity.errors';
import type { Actor } from '@homeport/identity/contracts';
import { actorOf, type TokenRules } from '../../domain/token-policy';
import { bearerIn } from './bearer-header';
import { CachingTokenVerifier } from '../jwks/caching-token-verifier';

/**
 * Authenticates bearer tokens: passport-jwt extracts the token, jose verifies the signature, the token policy checks
 * the claims. passport-jwt's own verifier accepts tokens without `exp`, ID tokens and unknown `crit` headers, and does
 * not support EdDSA.
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
    // passport-jwt allows another verifier only through a static member.
    Object.assign(Strategy, { JwtVerifier: verifier(signatures) });
  }

  /** Called with claims whose signature is verified. */
  validate(claims: unknown): Actor {
    return actorOf(claims, this.rules, Date.now() / 1000);
  }
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
      // An internal failure of the key lookup says nothing about the token, so it must not become a 401.
      (error: unknown) => done(error instanceof DomainError ? error : new KeysUnavailable({ cause: error })),
    );
  };
}

/** Finds the key. passport-jwt's types require a string or buffer, but the library only passes the key object on. */
async function findKey(signatures: CachingTokenVerifier, keys: KeySet, token: string): Promise<never> {
  const key = await keys.find(signatures.keyReferenceOf(token));
  if (key === undefined) throw new TokenInvalid('the key id is unknown');
  return key as never;
}
