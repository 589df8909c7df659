import { HttpClient } from '@angular/common/http';
import { inject, Service } from '@angular/core';
import type { PricingStatement } from '@homeport/pricing/contracts';
import { answerOf, HttpProblem } from '@homeport/platform/web';
import { type DatedStatement, KeptStatement } from './kept-statement';

/** A statement to show; with a problem it is the one this device kept, because the API could not be reached. */
export interface ReadStatement extends DatedStatement {
  readonly problem?: HttpProblem;
}

/** How long the API is waited for when there is something else to show. */
const PATIENCE_MS = 4_000;

/** The public pricing statement. Throws an `HttpProblem` on failure; there is never a part of a statement. */
@Service()
export class PricingClient {
  readonly #http = inject(HttpClient);
  readonly #kept = new KeptStatement(() => localStorage);

  /** What the API says now; of one that does not answer, what it said last. Its refusal is passed on. */
  async statement(signal?: AbortSignal): Promise<ReadStatement> {
    const kept = this.#kept.find();
    // An answer from the browser's cache would hide that nothing answers; asking whether it still holds costs no body.
    const options = { cache: 'no-cache', ...(kept && { timeout: PATIENCE_MS }) } as const;
    try {
      const statement = await answerOf(this.#http.get<PricingStatement>('/v1/pricing', options), signal);
      const read = { statement, readAt: new Date() };
      this.#kept.keep(read);
      return read;
    } catch (error) {
      if (!kept || !(error instanceof HttpProblem) || error.kind === 'refused') throw error;
      return { ...kept, problem: error };
    }
  }
}
