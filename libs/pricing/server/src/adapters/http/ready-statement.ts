import type { IncomingHttpHeaders } from 'node:http';
import { JSON_TYPE, namesTagWeakly, SAFE_TYPE, type ReadyAnswer, type ReadyRoute } from '@homeport/platform/server';
import type { PriceBook } from '../../application/price-book';
import type { Form } from '../../application/printed';
import { encodingFor, FORM_HEADERS, STATEMENT_HEADERS } from './send-printed';

interface Answers {
  readonly whole: ReadyAnswer;
  readonly unchanged: ReadyAnswer;
}

/** The statement while a copy is fresh: what `GET /v1/pricing` answers then, byte by byte. */
export class ReadyStatement implements ReadyRoute {
  readonly path = '/v1/pricing';
  readonly name = `GET ${this.path}`;
  readonly #answers = new WeakMap<Form, Answers>();

  constructor(private readonly prices: PriceBook) {}

  answerTo(headers: IncomingHttpHeaders): ReadyAnswer | undefined {
    const prices = this.prices.fresh();
    if (!prices) return undefined;
    const encoding = encodingFor(headers);
    const { whole, unchanged } = this.#answersOf(prices.forms[encoding]);
    const known = headers['if-none-match'];
    return known !== undefined && namesTagWeakly(known, prices.forms[encoding].etag) ? unchanged : whole;
  }

  #answersOf(form: Form): Answers {
    const known = this.#answers.get(form);
    if (known) return known;
    const headers = Object.entries({
      ...SAFE_TYPE,
      ...STATEMENT_HEADERS,
      ...FORM_HEADERS[form.encoding],
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
