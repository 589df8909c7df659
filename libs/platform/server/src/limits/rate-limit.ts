import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { RateLimited } from '@homeport/kernel';

const WINDOW_SECONDS = 60;

/**
 * Limits the requests per minute of each caller of this instance. Counts in memory. It rejects instead of delaying, and
 * reports the rest of a fixed window, which a token bucket does not have.
 */
export class RateLimit {
  readonly #counter: RateLimiterMemory | undefined;
  readonly #policy: string;

  /**
   * @param name the kind of caller, used as the policy name in the response headers.
   * @param perMinute requests per minute; 0 turns the limit off.
   */
  constructor(
    private readonly name: string,
    perMinute: number,
  ) {
    this.#counter =
      perMinute === 0 ? undefined : new RateLimiterMemory({ points: perMinute, duration: WINDOW_SECONDS });
    this.#policy = `"${name}";q=${perMinute};w=${WINDOW_SECONDS}`;
  }

  /**
   * Counts one request.
   * @param caller returns the caller; not called while the limit is off.
   * @returns the rate limit headers (draft-ietf-httpapi-ratelimit-headers); `undefined` while the limit is off.
   * @throws {RateLimited}
   */
  take(caller: () => string): Promise<Readonly<Record<string, string>>> | undefined {
    return this.#counter && this.#consume(this.#counter, caller());
  }

  async #consume(counter: RateLimiterMemory, caller: string): Promise<Readonly<Record<string, string>>> {
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

function secondsUntil({ msBeforeNext }: RateLimiterRes): number {
  return Math.max(1, Math.ceil(msBeforeNext / 1_000));
}
