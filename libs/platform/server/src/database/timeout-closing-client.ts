import { once } from 'node:events';
import { Client } from 'pg';

type Query = (...query: unknown[]) => unknown;

/**
 * A connection that is closed when one of its queries ran out of time on our side. node-postgres gives up on the
 * query and hands the connection on, while the server may still be about to run it: a late `START TRANSACTION` would
 * swallow every write acknowledged on that connection afterwards.
 */
export class TimeoutClosingClient extends Client {
  // The library's type lists twelve ways to call it, and none of them matters here.
  override query = ((...query: unknown[]) => {
    const result = (Client.prototype.query as Query).apply(this, query);
    return result instanceof Promise ? result.catch((error: unknown) => this.#closeAfter(error)) : result;
  }) as Client['query'];

  /** The failure is told when the connection is gone: whoever hears of it hands the connection back at once. */
  async #closeAfter(error: unknown): Promise<never> {
    const { stream } = this.connection;
    if (error instanceof Error && error.message === 'Query read timeout' && !stream.closed) {
      const closed = once(stream, 'close');
      stream.destroy();
      await closed;
    }
    throw error;
  }
}
