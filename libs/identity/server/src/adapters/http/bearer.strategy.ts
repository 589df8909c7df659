import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import { DomainError } from '@homeport/platform/server';
import { ExtractJwt, type SecretOrKeyProvider, Strategy, type StrategyOptionsWithoutRequest } from 'passport-jwt';
import { KeySet } from '../../application/key-set.port';
import { KeysUnavailable, TokenInvalid } from '../../domain/identity.errors';
import type { Principal } from '../../domain/principal';
import { checkTokenHeader, principalOf, type TokenRules } from '../../domain/token-policy';

/**
 * passport-jwt finds the token and verifies the signature; every decision about its content is the token policy's.
 * The library's own claim checks stay off: they accept tokens without `exp`, ID tokens and unknown `crit` headers.
 */
@Injectable()
export class BearerStrategy extends PassportStrategy(Strategy, 'bearer') {
  constructor(
    private readonly rules: TokenRules,
    keys: KeySet,
  ) {
    const options: StrategyOptionsWithoutRequest = {
      jwtFromRequest: ExtractJwt.fromAuthHeaderAsBearerToken(),
      secretOrKeyProvider: keyProvider(rules, keys),
      algorithms: [...rules.algorithms] as NonNullable<StrategyOptionsWithoutRequest['algorithms']>,
      ignoreExpiration: true,
      jsonWebTokenOptions: { ignoreNotBefore: true },
    };
    super(options);
  }

  /** Called with claims whose signature is verified. */
  validate(claims: unknown): Principal {
    return principalOf(claims, this.rules, Date.now() / 1000);
  }
}

function keyProvider(rules: TokenRules, keys: KeySet): SecretOrKeyProvider {
  return (_request: unknown, token: string, done) => {
    findKey(rules, keys, token).then(
      (key) => done(null, key),
      // Whatever keeps a key from being found for a reason of ours says nothing about the token: never a 401.
      (error: unknown) => done(error instanceof DomainError ? error : new KeysUnavailable({ cause: error })),
    );
  };
}

async function findKey(rules: TokenRules, keys: KeySet, token: string): Promise<never> {
  const key = await keys.find(checkTokenHeader(token, rules));
  if (key === undefined) throw new TokenInvalid('the key id is unknown');
  // jsonwebtoken takes key objects, which spares parsing a PEM on every request; passport-jwt's types lag behind.
  return key as never;
}
