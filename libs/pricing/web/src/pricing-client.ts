import { HttpClient } from '@angular/common/http';
import { inject, Service } from '@angular/core';
import type { PricingStatement } from '@homeport/pricing/contracts';
import { responseOf, HttpProblem } from '@homeport/platform/web';
import { type CachedStatement, PricingCache } from './pricing-cache';

/** A statement to show. With a problem, it is the cached one, because the API could not be reached. */
export interface LoadedStatement extends CachedStatement {
  readonly problem?: HttpProblem;
}

/** Request timeout when a cached statement exists. */
const REQUEST_TIMEOUT_MS = 4_000;

/** Loads the public pricing statement. Throws an `HttpProblem` on failure. */
@Service()
export class PricingClient {
  readonly #http = inject(HttpClient);
  readonly #cache = new PricingCache(() => localStorage);

  /** Loads the statement; returns the cached one when the API is unreachable, but not when it rejects the request. */
  async statement(signal?: AbortSignal): Promise<LoadedStatement> {
    const cached = this.#cache.load();
    // The HTTP cache would hide that the API is unreachable; revalidation does not transfer the body again.
    const options = { cache: 'no-cache', ...(cached && { timeout: REQUEST_TIMEOUT_MS }) } as const;
    try {
      const statement = await responseOf(this.#http.get<PricingStatement>('/v1/pricing', options), signal);
      const read = { statement, readAt: new Date() };
      this.#cache.save(read);
      return read;
    } catch (error) {
      if (!cached || !(error instanceof HttpProblem) || error.kind === 'refused') throw error;
      return { ...cached, problem: error };
    }
  }
}
