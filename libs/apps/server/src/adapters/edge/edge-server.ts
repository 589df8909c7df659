import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';

const HEADERS_LIMIT_MS = 10_000;
/** Of the whole request: nobody has a body to send. */
const REQUEST_LIMIT_MS = 30_000;
const KEEP_ALIVE_MS = 65_000;
/** A connection on which nothing moves, in the middle of an answer, is closed. */
const IDLE_MS = 30_000;
const MAX_HEADER_BYTES = 16 * 1024;
/** How often Node looks for connections over their limit; by default the limits come 30 s late. */
const LOOK_MS = 1_000;

/** While it closes: how often connections are closed that wait for a request. */
const SWEEP_MS = 250;

/** Node's HTTP server with our limits, and nothing between it and the handler: speed is the point. */
export class EdgeServer {
  readonly #server: Server;
  /** Every connection, and the last answer that was begun on it. */
  readonly #connections = new Map<Socket, ServerResponse | undefined>();
  #isDraining = false;

  constructor(handle: (request: IncomingMessage, response: ServerResponse) => void) {
    const options = {
      headersTimeout: HEADERS_LIMIT_MS,
      requestTimeout: REQUEST_LIMIT_MS,
      keepAliveTimeout: KEEP_ALIVE_MS,
      connectionsCheckingInterval: LOOK_MS,
      maxHeaderSize: MAX_HEADER_BYTES,
      // Who names no host is told by a page of ours.
      requireHostHeader: false,
    };
    this.#server = createServer(options, (request, response) => {
      this.#connections.set(request.socket, response);
      // From then on every answer closes its connection, so that nobody holds the end up.
      if (this.#isDraining) response.shouldKeepAlive = false;
      handle(request, response);
    });
    this.#server.setTimeout(IDLE_MS);
    this.#server.on('connection', (socket) => {
      this.#connections.set(socket, undefined);
      socket.once('close', () => this.#connections.delete(socket));
    });
  }

  /** @returns the port; another one when it is 0. */
  async listen(port: number, host: string): Promise<number> {
    this.#server.listen(port, host);
    await once(this.#server, 'listening');
    return (this.#server.address() as AddressInfo).port;
  }

  /** From now on whoever is answered leaves. */
  beginDraining(): void {
    this.#isDraining = true;
  }

  /** Lets everybody finish. @returns whether all did within the limit; what is left then is cut off. */
  async close(limitMs: number): Promise<boolean> {
    this.beginDraining();
    const closed = new Promise<true>((resolve) => this.#server.close(() => resolve(true)));
    // To Node those are not idle on which nothing ever came, and it has stopped to look for late requests.
    const sweep = setInterval(() => this.#closeWaiting(), SWEEP_MS);
    const isDone = await Promise.race([closed, setTimeout(limitMs, false, { ref: false })]);
    clearInterval(sweep);
    if (!isDone) this.#server.closeAllConnections();
    return isDone;
  }

  /** Closes connections on which no request is under way. */
  #closeWaiting(): void {
    for (const [socket, last] of this.#connections) {
      if (last === undefined || last.writableFinished) socket.destroy();
    }
  }
}
