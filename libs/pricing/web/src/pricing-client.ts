import { HttpClient } from '@angular/common/http';
import { inject, Service } from '@angular/core';
import type { PricingStatement } from '@homeport/pricing/contracts';
import { answerOf } from '@homeport/platform/web';

/** The public pricing statement. Throws an `HttpProblem` on failure; there is never a part of a statement. */
@Service()
export class PricingClient {
  readonly #http = inject(HttpClient);

  statement(signal?: AbortSignal): Promise<PricingStatement> {
    return answerOf(this.#http.get<PricingStatement>('/v1/pricing'), signal);
  }
}
