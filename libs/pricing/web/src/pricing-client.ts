import { HttpClient } from '@angular/common/http';
import { inject, Service } from '@angular/core';
import type { PricingStatement } from '@homeport/pricing/contracts';
import { responseOf, HttpProblem } from '@homeport/platform/web';
import { type CachedStatement, PricingCache } from './pricing-cache';

/** A statement to show; with a problem it is the one this device kept, because the API could not be reached. */
export interface LoadedStatement extends CachedStatement {
  readonly problem?: HttpProblem;
}

/** How long the API is waited for when there is something else to show. */
const REQUEST_TIMEOUT_MS = 4_000;

/** The public pricing statement. Throws an `HttpProblem` on failure; there is never a part of a statement. */
@Service()
export class PricingClient {
  readonly #http = inject(HttpClient);
  readonly #kept = new PricingCache(() => localStorage);

  /** What the API says now; of one that does not answer, what it said last. Its refusal is passed on. */
  async statement(signal?: AbortSignal): Promise<LoadedStatement> {
    const kept = this.#kept.load();
    // An answer from the browser's cache would hide that nothing answers; asking whether it still holds costs no body.
    const options = { cache: 'no-cache', ...(kept && { timeout: REQUEST_TIMEOUT_MS }) } as const;
    try {
      const statement = await responseOf(this.#http.get<PricingStatement>('/v1/pricing', options), signal);
      const read = { statement, readAt: new Date() };
      this.#kept.save(read);
      return read;
    } catch (error) {
      if (!kept || !(error instanceof HttpProblem) || error.kind === 'refused') throw error;
      return { ...kept, problem: error };
    }
  }
}
