import { once } from 'node:events';
import { Client } from 'pg';
import { SlowStatements } from './slow-statements';

type Query = (...query: unknown[]) => unknown;

/** The message of node-postgres. */
const TIMEOUT = 'Query read timeout';

/**
 * A connection that closes when one of its queries times out on the client side. node-postgres abandons the query and
 * reuses the connection, while the server may still run the query: a late `START TRANSACTION` would put all later
 * acknowledged writes of that connection into a transaction that is never committed.
 *
 * It also ends a transaction whose statements are all slow as if the next one had timed out: the server rolls back.
 */
export class TimeoutClosingClient extends Client {
  /** Shared by the connections of a pool. */
  protected readonly slowStatements = new SlowStatements();
  #isInTransaction = false;

  // The type has twelve overloads; the arguments are only passed on.
  override query = ((...query: unknown[]) => {
    const text = textOf(query[0]);
    if (this.#isInTransaction && this.slowStatements.isDetected) return this.#closeAfter(new Error(TIMEOUT));
    if (/^(start transaction|begin)/i.test(text)) this.#isInTransaction = true;
    if (/^(commit|rollback)/i.test(text)) this.#isInTransaction = false;
    const began = performance.now();
    const record = () => this.slowStatements.record(performance.now() - began);
    const result = (Client.prototype.query as Query).apply(this, withCallback(query, record));
    if (!(result instanceof Promise)) return result;
    return result.then(
      (value: unknown) => {
        record();
        return value;
      },
      (error: unknown) => this.#closeAfter(error),
    );
  }) as Client['query'];

  /** Rejects after the connection has closed, because the pool reuses the connection as soon as the query rejects. */
  async #closeAfter(error: unknown): Promise<never> {
    const { stream } = this.connection;
    if (error instanceof Error && error.message === TIMEOUT && !stream.closed) {
      const closed = once(stream, 'close');
      stream.destroy();
      await closed;
    }
    throw error;
  }
}

/** @returns the class of the connections of one pool. */
export function clientsWith(shared: SlowStatements): typeof TimeoutClosingClient {
  return class extends TimeoutClosingClient {
    protected override readonly slowStatements = shared;
  };
}

/** `Pool.query` passes a callback, and closes the connection itself after an error. */
function withCallback(query: readonly unknown[], succeeded: () => void): unknown[] {
  const callback = query.at(-1);
  if (typeof callback !== 'function') return [...query];
  const recording = (error: unknown, result: unknown) => {
    if (!error) succeeded();
    (callback as (error: unknown, result: unknown) => void)(error, result);
  };
  return [...query.slice(0, -1), recording];
}

function textOf(query: unknown): string {
  if (typeof query === 'string') return query;
  return (query as { text?: string } | undefined)?.text ?? '';
}
