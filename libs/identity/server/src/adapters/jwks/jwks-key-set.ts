import { createPublicKey, type KeyObject } from 'node:crypto';
import jwksRsa from 'jwks-rsa';
import { KeySet } from '../../application/key-set.port';
import { KeysUnavailable } from '../../domain/identity.errors';
import { fetchBoundedJson, type FetchLimits, ISSUER_LIMITS } from './bounded-json';

const FRESH_MS = 10 * 60_000;
const COOLDOWN_MS = 30_000;
/** Without a single key nobody gets in, so a service that starts late is asked again soon. */
const COLD_COOLDOWN_MS = 1_000;
const STALE_MS = 24 * 60 * 60_000;

export interface JwksKeySetOptions {
  /** The address of the key set; asked once it is needed, because discovery may have to find it. */
  readonly jwksUri: () => Promise<string>;
  /** Milliseconds on a clock that never goes back. */
  readonly now?: () => number;
  /** How long one fetch of the keys may take, and how large they may be; `ISSUER_LIMITS` when absent. */
  readonly limits?: FetchLimits;
}

/**
 * Keys read from a JWKS address. jwks-rsa parses them; its own cache and rate limit stay off, because with them a
 * dozen forged key ids lock every valid user out. Here one fetch runs at a time, at most one starts every 30 s,
 * known keys are served through an outage for a day, and only an unknown key during an outage is a failure.
 */
export class JwksKeySet extends KeySet {
  #keys = new Map<string, KeyObject>();
  #loadedAt = -Infinity;
  #triedAt = -Infinity;
  #lastTryFailed = false;
  #pending: Promise<void> | undefined;
  readonly #now: () => number;

  constructor(private readonly options: JwksKeySetOptions) {
    super();
    this.#now = options.now ?? (() => performance.now());
  }

  async find(keyId: string): Promise<KeyObject | undefined> {
    const known = this.#keys.get(keyId);
    if (known !== undefined && this.#age() <= FRESH_MS) return known;
    if (known !== undefined && this.#isUsable()) {
      this.#refreshIfDue()?.catch(() => undefined);
      return known;
    }
    await this.#refreshIfDue();
    const found = this.#isUsable() ? this.#keys.get(keyId) : undefined;
    if (found === undefined && this.#lastTryFailed) throw new KeysUnavailable();
    return found;
  }

  async ready(): Promise<void> {
    if (this.#isUsable()) return;
    await this.#refreshIfDue();
    if (!this.#isUsable()) throw new KeysUnavailable();
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
    const cooldown = this.#keys.size === 0 ? COLD_COOLDOWN_MS : COOLDOWN_MS;
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
        fetcher: (uri) => fetchBoundedJson(uri, this.options.limits ?? ISSUER_LIMITS) as Promise<{ keys: unknown }>,
      });
      const keys = await client.getSigningKeys();
      this.#keys = new Map(keys.map((key) => [key.kid, createPublicKey(key.getPublicKey())]));
      this.#loadedAt = this.#now();
      this.#lastTryFailed = false;
    } catch (error) {
      this.#lastTryFailed = true;
      throw new KeysUnavailable({ cause: error });
    }
  }
}
