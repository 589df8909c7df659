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
  readonly notModified: PrecomputedResponse;
}

/** Precomputed responses of `GET /v1/pricing`, available while the cached prices are fresh. */
export class PrecomputedStatement implements PrecomputedRoute {
  readonly path = '/v1/pricing';
  readonly name = `GET ${this.path}`;
  readonly #responses = new WeakMap<EncodedRepresentation, PrecomputedResponses>();

  constructor(private readonly prices: PriceBook) {}

  responseTo(headers: IncomingHttpHeaders): PrecomputedResponse | undefined {
    const prices = this.prices.currentIfFresh();
    if (!prices) return undefined;
    const encoding = negotiateEncoding(headers);
    const { whole, notModified } = this.#responsesFor(prices.representations[encoding]);
    const ifNoneMatch = headers['if-none-match'];
    return ifNoneMatch !== undefined && matchesETagWeakly(ifNoneMatch, prices.representations[encoding].etag)
      ? notModified
      : whole;
  }

  #responsesFor(representation: EncodedRepresentation): PrecomputedResponses {
    const cached = this.#responses.get(representation);
    if (cached) return cached;
    const headers = Object.entries({
      ...NOSNIFF_HEADER,
      ...STATEMENT_HEADERS,
      ...REPRESENTATION_HEADERS[representation.encoding],
      etag: representation.etag,
    }).flat();
    const length = String(representation.body.length);
    const whole = [...headers, 'content-type', JSON_TYPE, 'content-length', length];
    const responses = {
      whole: { status: 200, headers: whole, body: representation.body.toString('latin1') },
      notModified: { status: 304, headers },
    };
    this.#responses.set(representation, responses);
    return responses;
  }
}
