import { once } from 'node:events';
import {
  createServer as createHttpServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerOptions,
  ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  ConnectionTracker,
  Drain,
  hasMultipleHostHeaders,
  ignoreUpgrades,
  type UpgradeHandler,
} from '@homeport/platform/server/node-http';
import { rawPathOf } from '@homeport/kernel';
import { isNavigation } from '../../domain/navigation';
import { sendBuffered } from '../../../static/adapters/http/file-sender';
import { renderErrorPage, BAD_REQUEST } from './error-pages';

const HEADERS_TIMEOUT_MS = 10_000;
/** Covers the whole request with its body, which only servers of apps take. Static sites limit it further. */
const REQUEST_TIMEOUT_MS = 5 * 60_000;
const KEEP_ALIVE_MS = 65_000;
/** Closes a connection that transfers nothing during a response. */
const IDLE_TIMEOUT_MS = 30_000;
const MAX_HEADER_BYTES = 16 * 1024;
/** How often Node checks the timeouts of connections. Its default of 30 s would enforce them late. */
const CONNECTION_CHECK_MS = 1_000;

/** Creates a server, as `createServer` of `node:http` does. */
export type CreateServer = (options: ServerOptions, handle: RequestListener) => Server;

export interface EdgeServerOptions {
  /** The response class, which may log. */
  readonly responses?: typeof ServerResponse | undefined;
  /** Takes connections for WebSockets. */
  readonly upgrade?: UpgradeHandler | undefined;
  /** Default: a server for plain HTTP. */
  readonly createServer?: CreateServer | undefined;
}

/** Node's HTTP server with strict limits and no framework, for speed. */
export class EdgeServer {
  readonly #server: Server;
  readonly #drain: Drain;

  constructor(
    handle: (request: IncomingMessage, response: ServerResponse) => void,
    { responses = ServerResponse, upgrade, createServer = createHttpServer }: EdgeServerOptions = {},
  ) {
    const options = {
      ServerResponse: responses,
      headersTimeout: HEADERS_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      keepAliveTimeout: KEEP_ALIVE_MS,
      connectionsCheckingInterval: CONNECTION_CHECK_MS,
      maxHeaderSize: MAX_HEADER_BYTES,
      // The handler answers a request without a host with an error page.
      requireHostHeader: false,
    };
    const connections = new ConnectionTracker();
    this.#server = createServer(options, (request, response) => {
      connections.track(request, response);
      if (hasMultipleHostHeaders(request)) rejectMultipleHosts(request, response);
      else handle(request, response);
    });
    // The size of the head is limited. With a limit on their number, some versions of Node drop headers, such as a
    // second Host.
    this.#server.maxHeadersCount = 0;
    ignoreUpgrades(this.#server, (socket) => connections.isBusy(socket), upgrade && this.#tracked(upgrade));
    this.#server.setTimeout(IDLE_TIMEOUT_MS);
    this.#drain = new Drain(this.#server);
  }

  /** @param port 0 for any free port. @returns the port. */
  async listen(port: number, host: string): Promise<number> {
    this.#server.listen(port, host);
    await once(this.#server, 'listening');
    return (this.#server.address() as AddressInfo).port;
  }

  /** From now on, every response closes its connection. */
  beginDraining(): void {
    this.#drain.begin();
  }

  /** @returns whether every request was answered within the limit. Remaining connections are closed. */
  close(limitMs: number): Promise<boolean> {
    return this.#drain.close(limitMs);
  }

  #tracked(upgrade: UpgradeHandler): UpgradeHandler {
    return (exchange) => {
      this.#drain.addTunnel(exchange.socket);
      return upgrade({ ...exchange, closing: this.#drain.closing });
    };
  }
}

/** Rejects several Host fields: a proxy in front may have used a different one (RFC 9112, section 3.2). */
function rejectMultipleHosts(request: IncomingMessage, response: ServerResponse): void {
  response.shouldKeepAlive = false;
  sendBuffered(
    request,
    response,
    renderErrorPage(BAD_REQUEST, isNavigation(request.headers, rawPathOf(request.url ?? ''))),
  );
}
