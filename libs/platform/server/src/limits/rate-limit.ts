import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { RateLimited } from '../problems/platform.errors';

const WINDOW_SECONDS = 60;

/** How many requests a minute one caller may make of this instance, counted in memory. */
export class RateLimit {
  readonly #counter: RateLimiterMemory | undefined;
  readonly #policy: string;

  /**
   * @param name what callers are told apart by, as the answer's headers say it.
   * @param perMinute requests; 0 turns the limit off.
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
   * @param caller whose; not asked for while there is no limit.
   * @returns the headers that say how many are left (draft-ietf-httpapi-ratelimit-headers); at once nothing without one.
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
    const left = `"${this.name}";r=${state.remainingPoints};t=${secondsUntil(state)}`;
    return { ratelimit: left, 'ratelimit-policy': this.#policy };
  }
}

function secondsUntil({ msBeforeNext }: RateLimiterRes): number {
  return Math.max(1, Math.ceil(msBeforeNext / 1_000));
}
