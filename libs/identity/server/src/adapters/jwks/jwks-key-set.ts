import { createPublicKey, type KeyObject } from 'node:crypto';
import type { OutageLog } from '@homeport/platform/server';
import jwksRsa from 'jwks-rsa';
import { KeySet } from '../../application/key-set.port';
import { KeysUnavailable } from '../../domain/identity.errors';
import type { KeyReference } from '../../domain/token-policy';
import { fetchBoundedJson, type FetchLimits, ISSUER_LIMITS } from './bounded-json';

const FRESH_MS = 10 * 60_000;
const COOLDOWN_MS = 30_000;
/** Without a single key nobody gets in, so a service that starts late is asked again soon. */
const COLD_COOLDOWN_MS = 1_000;
const STALE_MS = 24 * 60 * 60_000;
const OPERATION = 'read';

/** What Node calls the curve of each algorithm that has one of its own. */
const CURVES = new Map([
  ['ES256', 'prime256v1'],
  ['ES384', 'secp384r1'],
  ['ES512', 'secp521r1'],
]);

interface KnownKey {
  readonly keyId: string | undefined;
  /** The only one it is for, when the issuer says so. */
  readonly algorithm: string | undefined;
  readonly key: KeyObject;
}

export interface JwksKeySetOptions {
  /** The address of the key set; asked once it is needed, because discovery may have to find it. */
  readonly jwksUri: () => Promise<string>;
  /** Milliseconds on a clock that never goes back. */
  readonly now?: () => number;
  /** How long one fetch of the keys may take, and how large they may be; `ISSUER_LIMITS` when absent. */
  readonly limits?: FetchLimits;
  /** Told when the keys cannot be read, also while known ones are still served. */
  readonly outages?: OutageLog;
}

/**
 * Keys read from a JWKS address. jwks-rsa parses them; its own cache and rate limit stay off, because with them a
 * dozen forged key ids lock every valid user out. Here one fetch runs at a time, at most one starts every 30 s,
 * known keys are served through an outage for a day, and only an unknown key during an outage is a failure.
 */
export class JwksKeySet extends KeySet {
  #keys: readonly KnownKey[] = [];
  #loadedAt = -Infinity;
  #triedAt = -Infinity;
  /** Why the last try failed; undefined when it did not. */
  #lastFailure: unknown;
  #pending: Promise<void> | undefined;
  readonly #now: () => number;

  constructor(private readonly options: JwksKeySetOptions) {
    super();
    this.#now = options.now ?? (() => performance.now());
  }

  async find(name: KeyReference): Promise<KeyObject | undefined> {
    const known = this.#named(name);
    if (known !== undefined && this.#age() <= FRESH_MS) return known;
    if (known !== undefined && this.#isUsable()) {
      this.#refreshIfDue()?.catch(() => undefined);
      return known;
    }
    await this.#refreshIfDue();
    const found = this.#isUsable() ? this.#named(name) : undefined;
    if (found === undefined && this.#lastFailure !== undefined) throw new KeysUnavailable({ cause: this.#lastFailure });
    return found;
  }

  async ready(): Promise<void> {
    if (this.#isUsable()) return;
    await this.#refreshIfDue();
    if (!this.#isUsable()) throw new KeysUnavailable({ cause: this.#lastFailure });
  }

  #named({ keyId, algorithm }: KeyReference): KeyObject | undefined {
    return this.#keys.find((each) => each.keyId === keyId && matchesAlgorithm(algorithm, each))?.key;
  }

  /** Keys older than a day are no keys, in between two tries as well. */
  #isUsable(): boolean {
    return this.#age() <= STALE_MS;
  }

  #age(): number {
    return this.#now() - this.#loadedAt;
  }

  #refreshIfDue(): Promise<void> | undefined {
    if (this.#pending) return this.#pending;
    const cooldown = this.#keys.length === 0 ? COLD_COOLDOWN_MS : COOLDOWN_MS;
    if (this.#now() - this.#triedAt <= cooldown) return undefined;
    this.#triedAt = this.#now();
    this.#pending = this.#load().finally(() => (this.#pending = undefined));
    return this.#pending;
  }

  async #load(): Promise<void> {
    try {
      const client = new jwksRsa.JwksClient({
        jwksUri: await this.options.jwksUri(),
        cache: false,
        rateLimit: false,
        fetcher: async (uri) => entriesOf(await fetchBoundedJson(uri, this.options.limits ?? ISSUER_LIMITS)),
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

/** The library stumbles over an entry that is no object, and the keys beside it would be lost. */
function entriesOf(body: unknown): { keys: unknown } {
  const { keys } = body as { keys?: unknown };
  return { keys: Array.isArray(keys) ? keys.filter((each) => typeof each === 'object' && each !== null) : [] };
}

function matchesAlgorithm(algorithm: string, known: KnownKey): boolean {
  if (known.algorithm !== undefined) return known.algorithm === algorithm;
  const { asymmetricKeyType: type, asymmetricKeyDetails: details } = known.key;
  if (CURVES.has(algorithm)) return details?.namedCurve === CURVES.get(algorithm);
  return (type === 'rsa') === /^[RP]S/.test(algorithm);
}
