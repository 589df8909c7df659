import { once } from 'node:events';
import { Client } from 'pg';

type Query = (...query: unknown[]) => unknown;

/**
 * A connection that closes when one of its queries times out on the client side. node-postgres abandons the query and
 * reuses the connection, while the server may still run the query: a late `START TRANSACTION` would put all later
 * acknowledged writes of that connection into a transaction that is never committed.
 */
export class TimeoutClosingClient extends Client {
  // The type has twelve overloads; the arguments are only passed on.
  override query = ((...query: unknown[]) => {
    const result = (Client.prototype.query as Query).apply(this, query);
    return result instanceof Promise ? result.catch((error: unknown) => this.#closeAfter(error)) : result;
  }) as Client['query'];

  /** Rejects after the connection has closed, because the pool reuses the connection as soon as the query rejects. */
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
