import type { IncomingHttpHeaders } from 'node:http';
import {
  JSON_TYPE,
  matchesETagWeakly,
  NOSNIFF_HEADER,
  type PrecomputedResponse,
  type PrecomputedRoute,
} from '@homeport/platform/server';
import type { PriceBook } from '../../application/price-book';
import type { EncodedRepresentation } from '../../application/encoded-representations';
import { negotiateEncoding, REPRESENTATION_HEADERS, STATEMENT_HEADERS } from './send-representation';

interface PrecomputedResponses {
  readonly whole: PrecomputedResponse;
  readonly unchanged: PrecomputedResponse;
}

/** The statement while a copy is fresh: what `GET /v1/pricing` answers then, byte by byte. */
export class PrecomputedStatement implements PrecomputedRoute {
  readonly path = '/v1/pricing';
  readonly name = `GET ${this.path}`;
  readonly #answers = new WeakMap<EncodedRepresentation, PrecomputedResponses>();

  constructor(private readonly prices: PriceBook) {}

  responseTo(headers: IncomingHttpHeaders): PrecomputedResponse | undefined {
    const prices = this.prices.currentIfFresh();
    if (!prices) return undefined;
    const encoding = negotiateEncoding(headers);
    const { whole, unchanged } = this.#responsesFor(prices.representations[encoding]);
    const known = headers['if-none-match'];
    return known !== undefined && matchesETagWeakly(known, prices.representations[encoding].etag) ? unchanged : whole;
  }

  #responsesFor(form: EncodedRepresentation): PrecomputedResponses {
    const known = this.#answers.get(form);
    if (known) return known;
    const headers = Object.entries({
      ...NOSNIFF_HEADER,
      ...STATEMENT_HEADERS,
      ...REPRESENTATION_HEADERS[form.encoding],
      etag: form.etag,
    }).flat();
    const length = String(form.body.length);
    const whole = [...headers, 'content-type', JSON_TYPE, 'content-length', length];
    const answers = {
      whole: { status: 200, headers: whole, body: form.body.toString('latin1') },
      unchanged: { status: 304, headers },
    };
    this.#answers.set(form, answers);
    return answers;
  }
}
