import { LRUCache } from 'lru-cache';
import { CachingTokenVerifier } from '../../../adapters/jwks/caching-token-verifier';
import type { Fetch } from '../../../adapters/jwks/bounded-json';
import { JwksKeySet } from '../../../adapters/jwks/jwks-key-set';
import { discoverJwksUri } from '../../../adapters/openid/discover-jwks-uri';
import { type Clock, SYSTEM_CLOCK } from '../../../application/clock';
import type { KeySet } from '../../../application/key-set.port';
import { TokenInvalid } from '../../../domain/identity.errors';
import { checkTimes, type Claims, isJsonObject } from '../../../domain/token-policy';
import { PipelineTokenVerifier } from '../../application/pipeline-token-verifier.port';
import type { IssuerRules } from '../../domain/issuers';

const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'];
/** Issuers whose keys are cached. */
const MAX_ISSUERS = 500;
const CLOCK_SKEW_SECONDS = 30;

export interface JwksPipelineTokenVerifierOptions {
  /** The required `aud`. */
  readonly publicUrl: string;
  readonly issuers: IssuerRules;
  /** Reads the documents of issuers. */
  readonly fetch?: Fetch | undefined;
  readonly clock?: Clock | undefined;
}

/** Verifies pipelines' tokens with the keys that their issuers publish. */
export class JwksPipelineTokenVerifier extends PipelineTokenVerifier {
  readonly #keySets: LRUCache<string, KeySet>;
  readonly #signatures = new CachingTokenVerifier({ algorithms: ALGORITHMS });
  readonly #clock: Clock;

  constructor(private readonly options: JwksPipelineTokenVerifierOptions) {
    super();
    this.#clock = options.clock ?? SYSTEM_CLOCK;
    this.#keySets = new LRUCache({ max: MAX_ISSUERS });
  }

  async claimsOf(token: string, issuer: string): Promise<Claims> {
    const key = await this.#keySetOf(issuer).find(this.#signatures.keyReferenceOf(token));
    if (!key) throw new TokenInvalid('the key id is unknown');
    const claims = await this.#signatures.claimsOf(token, key);
    if (!isJsonObject(claims)) throw new TokenInvalid('the payload is not a JSON object');
    if (claims['iss'] !== issuer) throw new TokenInvalid('the issuer does not match');
    // A token for several audiences could be replayed by the other ones.
    const audience: unknown =
      Array.isArray(claims['aud']) && claims['aud'].length === 1 ? claims['aud'][0] : claims['aud'];
    if (audience !== this.options.publicUrl) throw new TokenInvalid('the audience does not match');
    checkTimes(claims, CLOCK_SKEW_SECONDS, this.#clock.now() / 1_000);
    return claims;
  }

  #keySetOf(issuer: string): KeySet {
    const known = this.#keySets.get(issuer);
    if (known) return known;
    const { issuers, fetch } = this.options;
    const isAllowed = (url: URL) => issuers.isAllowed(url);
    const keySet = new JwksKeySet({ jwksUri: () => discoverJwksUri(issuer, { isAllowed, fetch }), fetch });
    this.#keySets.set(issuer, keySet);
    return keySet;
  }
}
