import { createPublicKey, type KeyObject } from 'node:crypto';
import { CodedFailure, type OutageLog } from '@homeport/platform/server/observability';
import jwksRsa from 'jwks-rsa';
import { KeySet } from '../../application/key-set.port';
import { KeysUnavailable } from '../../domain/identity.errors';
import type { KeyReference } from '../../domain/token-policy';
import { type Fetch, fetchBoundedJson, type FetchLimits, ISSUER_LIMITS } from './bounded-json';

const FRESH_MS = 10 * 60_000;
const COOLDOWN_MS = 30_000;
/** Without any key, no token is accepted; a short cooldown lets a late-starting issuer be found soon. */
const COLD_COOLDOWN_MS = 500;
const STALE_MS = 24 * 60 * 60_000;
const OPERATION = 'read';
/** Issuers publish fewer than 20. Parsing blocks the event loop for half a millisecond for each key. */
const MAX_KEYS = 100;

/** Node's curve name of each ECDSA algorithm. */
const CURVES = new Map([
  ['ES256', 'prime256v1'],
  ['ES384', 'secp384r1'],
  ['ES512', 'secp521r1'],
]);

interface KnownKey {
  readonly keyId: string | undefined;
  /** The only algorithm of this key, when the issuer names one. */
  readonly algorithm: string | undefined;
  readonly key: KeyObject;
}

export interface JwksKeySetOptions {
  /** Resolves the URL of the key set; called on every fetch, because discovery may be needed first. */
  readonly jwksUri: () => Promise<string>;
  /** A monotonic clock in milliseconds. */
  readonly now?: () => number;
  /** Time and size limits of one fetch; `ISSUER_LIMITS` by default. */
  readonly limits?: FetchLimits;
  /** The global `fetch` by default. */
  readonly fetch?: Fetch | undefined;
  /** Notified when the keys cannot be read, also while cached keys are still served. */
  readonly outages?: OutageLog;
}

/**
 * Reads and caches the keys of a JWKS URL. jwks-rsa only parses: with its own cache and rate limit, a dozen forged key
 * ids lock out every valid user. This class runs one fetch at a time, starts at most one every 30 s, serves known keys
 * for a day during an outage and fails only for an unknown key during an outage.
 */
export class JwksKeySet extends KeySet {
  #keys: readonly KnownKey[] = [];
  #loadedAt = -Infinity;
  #attemptedAt = -Infinity;
  /** Why the last attempt failed; undefined after a success. */
  #lastFailure: unknown;
  #pending: Promise<void> | undefined;
  readonly #now: () => number;

  constructor(private readonly options: JwksKeySetOptions) {
    super();
    this.#now = options.now ?? (() => performance.now());
  }

  async find(name: KeyReference): Promise<KeyObject | undefined> {
    const known = this.#findKnown(name);
    if (known !== undefined && this.#age() <= FRESH_MS) return known;
    if (known !== undefined && this.#isUsable()) {
      this.#refreshIfDue()?.catch(() => undefined);
      return known;
    }
    await this.#refreshIfDue();
    const found = this.#isUsable() ? this.#findKnown(name) : undefined;
    if (found === undefined && this.#lastFailure !== undefined) throw new KeysUnavailable({ cause: this.#lastFailure });
    return found;
  }

  async ready(): Promise<void> {
    if (this.#isUsable()) return;
    await this.#refreshIfDue();
    if (!this.#isUsable()) throw new KeysUnavailable({ cause: this.#lastFailure });
  }

  #findKnown({ keyId, algorithm }: KeyReference): KeyObject | undefined {
    return this.#keys.find((each) => each.keyId === keyId && matchesAlgorithm(algorithm, each))?.key;
  }

  /** Keys older than a day are not used, also between two attempts. */
  #isUsable(): boolean {
    return this.#age() <= STALE_MS;
  }

  #age(): number {
    return this.#now() - this.#loadedAt;
  }

  #refreshIfDue(): Promise<void> | undefined {
    if (this.#pending) return this.#pending;
    const cooldown = this.#keys.length === 0 ? COLD_COOLDOWN_MS : COOLDOWN_MS;
    if (this.#now() - this.#attemptedAt <= cooldown) return undefined;
    this.#attemptedAt = this.#now();
    this.#pending = this.#load().finally(() => (this.#pending = undefined));
    return this.#pending;
  }

  async #load(): Promise<void> {
    const { jwksUri, limits = ISSUER_LIMITS, fetch: send } = this.options;
    try {
      const client = new jwksRsa.JwksClient({
        jwksUri: await jwksUri(),
        cache: false,
        rateLimit: false,
        fetcher: async (uri) => entriesOf(await fetchBoundedJson(uri, limits, send)),
      });
      const keys = await client.getSigningKeys();
      this.#keys = keys.map((each) => ({
        keyId: each.kid,
        algorithm: each.alg,
        key: createPublicKey(each.getPublicKey()),
      }));
      this.#loadedAt = this.#now();
      this.#lastFailure = undefined;
      this.options.outages?.succeeded(OPERATION);
    } catch (error) {
      this.#lastFailure = error;
      this.options.outages?.failed(error, OPERATION);
      throw new KeysUnavailable({ cause: error });
    }
  }
}

/**
 * jwks-rsa throws for an entry that is not an object, which would lose all other keys.
 * @throws {CodedFailure} `TOO_MANY_KEYS`.
 */
function entriesOf(body: unknown): { keys: unknown } {
  const { keys } = body as { keys?: unknown };
  const entries = Array.isArray(keys) ? keys.filter((each) => typeof each === 'object' && each !== null) : [];
  if (entries.length > MAX_KEYS) throw new CodedFailure('TOO_MANY_KEYS', `the key set has more than ${MAX_KEYS} keys`);
  return { keys: entries };
}

function matchesAlgorithm(algorithm: string, known: KnownKey): boolean {
  if (known.algorithm !== undefined) return known.algorithm === algorithm;
  const { asymmetricKeyType: type, asymmetricKeyDetails: details } = known.key;
  if (CURVES.has(algorithm)) return details?.namedCurve === CURVES.get(algorithm);
  return (type === 'rsa') === /^[RP]S/.test(algorithm);
}
