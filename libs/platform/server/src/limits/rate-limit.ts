import { RateLimiterMemory, RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import { RateLimited } from '@homeport/kernel';

const WINDOW_SECONDS = 60;

/** Runs a query on PostgreSQL. @throws {DatabaseUnavailable} */
export type RateLimitQuery = (text: string, values: unknown[]) => Promise<unknown[]>;

/**
 * Limits the requests per minute of each caller: of this instance, counted in memory, or of all instances, counted in
 * `platform.rate_limits`. A caller above the limit is then rejected without a query until the window ends. It rejects instead of delaying, and
 * reports the rest of a fixed window, which a token bucket does not have.
 */
export class RateLimit {
  readonly #counter: RateLimiterMemory | RateLimiterPostgres | undefined;
  readonly #policy: string;

  /**
   * @param name the kind of caller, used as the policy name in the response headers.
   * @param perMinute requests per minute; 0 turns the limit off.
   * @param query shares the limit between the instances.
   */
  constructor(
    private readonly name: string,
    perMinute: number,
    query?: RateLimitQuery,
  ) {
    this.#counter = perMinute === 0 ? undefined : counterOf(name, perMinute, query);
    this.#policy = `"${name}";q=${perMinute};w=${WINDOW_SECONDS}`;
  }

  /**
   * Counts one request.
   * @param caller returns the caller; not called while the limit is off.
   * @returns the rate limit headers (draft-ietf-httpapi-ratelimit-headers); `undefined` while the limit is off.
   * @throws {RateLimited} @throws {DatabaseUnavailable} when a shared limit cannot be read.
   */
  take(caller: () => string): Promise<Readonly<Record<string, string>>> | undefined {
    return this.#counter && this.#consume(this.#counter, caller());
  }

  async #consume(
    counter: RateLimiterMemory | RateLimiterPostgres,
    caller: string,
  ): Promise<Readonly<Record<string, string>>> {
    try {
      return this.#headers(await counter.consume(caller));
    } catch (error) {
      if (!(error instanceof RateLimiterRes)) throw error;
      throw new RateLimited({ ...this.#headers(error), 'retry-after': String(secondsUntil(error)) });
    }
  }

  #headers(state: RateLimiterRes): Record<string, string> {
    const remaining = `"${this.name}";r=${state.remainingPoints};t=${secondsUntil(state)}`;
    return { ratelimit: remaining, 'ratelimit-policy': this.#policy };
  }
}

function counterOf(name: string, points: number, query?: RateLimitQuery): RateLimiterMemory | RateLimiterPostgres {
  const limit = { points, duration: WINDOW_SECONDS, keyPrefix: name };
  if (!query) return new RateLimiterMemory(limit);
  const storeClient = {
    query: async ({ text, values }: { readonly text: string; readonly values: unknown[] }) => ({
      rows: await query(text, values),
    }),
  };
  // The table comes with the migrations. The library deletes expired rows every five minutes.
  const table = { schemaName: 'platform', tableName: 'rate_limits', tableCreated: true };
  return new RateLimiterPostgres({
    ...limit,
    ...table,
    storeClient,
    storeType: 'pool',
    inMemoryBlockOnConsumed: points,
  });
}

function secondsUntil({ msBeforeNext }: RateLimiterRes): number {
  return Math.max(1, Math.ceil(msBeforeNext / 1_000));
}
