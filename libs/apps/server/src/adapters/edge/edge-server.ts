import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ConnectionTracker, Drain, hasMultipleHostHeaders, ignoreUpgrades, rawPathOf } from '@homeport/platform/server';
import { isNavigation } from '../../domain/sites/navigation';
import { sendBuffered } from './file-sender';
import { renderErrorPage, BAD_REQUEST } from './error-pages';

const HEADERS_TIMEOUT_MS = 10_000;
/** For the whole request: no request has a body. */
const REQUEST_TIMEOUT_MS = 30_000;
const KEEP_ALIVE_MS = 65_000;
/** A connection on which nothing moves during a response is closed. */
const IDLE_TIMEOUT_MS = 30_000;
const MAX_HEADER_BYTES = 16 * 1024;
/** How often Node looks for connections over their limit; by default the limits come 30 s late. */
const CONNECTION_CHECK_MS = 1_000;

/** Node's HTTP server with our limits, and nothing between it and the handler: speed is the point. */
export class EdgeServer {
  readonly #server: Server;
  readonly #drain: Drain;

  /** @param responses the class of the answers, which may log them. */
  constructor(
    handle: (request: IncomingMessage, response: ServerResponse) => void,
    responses: typeof ServerResponse = ServerResponse,
  ) {
    const options = {
      ServerResponse: responses,
      headersTimeout: HEADERS_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      keepAliveTimeout: KEEP_ALIVE_MS,
      connectionsCheckingInterval: CONNECTION_CHECK_MS,
      maxHeaderSize: MAX_HEADER_BYTES,
      // A request without a host is answered with a page of ours.
      requireHostHeader: false,
    };
    const connections = new ConnectionTracker();
    this.#server = createServer(options, (request, response) => {
      connections.track(request, response);
      if (hasMultipleHostHeaders(request)) rejectMultipleHosts(request, response);
      else handle(request, response);
    });
    // The size of a head is limited. Some versions of Node drop the headers above a number: a second Host, for example.
    this.#server.maxHeadersCount = 0;
    ignoreUpgrades(this.#server, (socket) => connections.isBusy(socket));
    this.#server.setTimeout(IDLE_TIMEOUT_MS);
    this.#drain = new Drain(this.#server);
  }

  /** @returns the port; another one when it is 0. */
  async listen(port: number, host: string): Promise<number> {
    this.#server.listen(port, host);
    await once(this.#server, 'listening');
    return (this.#server.address() as AddressInfo).port;
  }

  /** From now on every response closes its connection. */
  beginDraining(): void {
    this.#drain.begin();
  }

  /** @returns whether every request was answered within the limit; what is left then is cut off. */
  close(limitMs: number): Promise<boolean> {
    return this.#drain.close(limitMs);
  }
}

/** Rejects several Host fields: a proxy in front may have read the other one (RFC 9112, section 3.2). */
function rejectMultipleHosts(request: IncomingMessage, response: ServerResponse): void {
  response.shouldKeepAlive = false;
  sendBuffered(
    request,
    response,
    renderErrorPage(BAD_REQUEST, isNavigation(request.headers, rawPathOf(request.url ?? ''))),
  );
}
