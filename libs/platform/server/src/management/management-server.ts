import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DatabaseUnavailable } from '@homeport/kernel';

export interface ManagementResponse {
  readonly status: number;
  readonly text: string;
  /** Default: plain text. */
  readonly contentType?: string;
}

/** Longer than any request takes: the slowest waits for PostgreSQL. */
const CLOSE_LIMIT_MS = 3_000;

/** Answers GET requests. @throws {DatabaseUnavailable} */
export type ManagementRoute = (query: URLSearchParams) => Promise<ManagementResponse>;

/**
 * Answers the programs of the operator, such as a proxy in front of the edge, on a separate port. Requests need no
 * token, so only these programs may reach the port.
 */
export class ManagementServer {
  readonly #server: Server;

  /** @param routes by path. */
  constructor(
    private readonly routes: ReadonlyMap<string, ManagementRoute>,
    private readonly onError: (error: unknown) => void,
  ) {
    this.#server = createServer((request, response) => void this.#handle(request, response));
  }

  /** @param port 0 for any free port. @returns the port. */
  async listen(port: number, host: string): Promise<number> {
    this.#server.listen(port, host);
    await once(this.#server, 'listening');
    return (this.#server.address() as AddressInfo).port;
  }

  /**
   * Finishes the requests under way, which are short. Then closes the other connections, because a client that sends no
   * complete request would delay the end of the program until it leaves.
   */
  async close(limitMs = CLOSE_LIMIT_MS): Promise<void> {
    if (!this.#server.listening) return;
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.#server.closeIdleConnections();
    const limit = setTimeout(() => this.#server.closeAllConnections(), limitMs);
    await closed;
    clearTimeout(limit);
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { status, text, contentType = 'text/plain; charset=utf-8' } = await this.#answer(request);
    const headers = { 'Content-Type': contentType, 'Cache-Control': 'no-store' };
    response.shouldKeepAlive &&= this.#server.listening;
    response
      .writeHead(status, { ...headers, ...(status === 405 && { Allow: 'GET' }) })
      .end(text.endsWith('\n') ? text : `${text}\n`);
  }

  async #answer({ method, url = '' }: IncomingMessage): Promise<ManagementResponse> {
    const target = URL.parse(url, 'http://management');
    const route = target && this.routes.get(target.pathname);
    if (!route) return { status: 404, text: 'This path does not exist.' };
    if (method !== 'GET') return { status: 405, text: 'Send a GET request.' };
    try {
      return await route(target.searchParams);
    } catch (error) {
      if (error instanceof DatabaseUnavailable) return { status: 503, text: 'The database is not available.' };
      this.onError(error);
      return { status: 500, text: 'The request failed. The log of this instance says why.' };
    }
  }
}
