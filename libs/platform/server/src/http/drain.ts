import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { closeListener } from './close-listener';

/** How often idle connections are closed once the listener is closed. */
const IDLE_CHECK_MS = 250;
/** Sweeps without a byte after which a connection is closed: less often before its first request, which may be on the way. */
const IDLE_CHECKS = 1;
const IDLE_CHECKS_BEFORE_FIRST_REQUEST = 8;

interface Connection {
  /** The response to the latest request; undefined before the first request. */
  latest: ServerResponse | undefined;
  /** Bytes received when the last sweep found no request under way; -1 before. */
  received: number;
  /** Sweeps in a row that found nothing new. */
  idleChecks: number;
}

/** Shuts an HTTP server down without failing a request: create it before the server listens. */
export class Drain {
  #isDraining = false;
  readonly #connections = new Map<Socket, Connection>();

  constructor(private readonly server: Server) {
    server.on('connection', (socket) => {
      // Emitted again for the same socket when its parser is replaced (see `ignoreUpgrades`).
      if (this.#connections.has(socket)) return;
      this.#connections.set(socket, { latest: undefined, received: -1, idleChecks: 0 });
      socket.once('close', () => this.#connections.delete(socket));
    });
    // Before the handler, which may answer at once.
    server.prependListener('request', ({ socket }, response) => {
      const connection = this.#connections.get(socket);
      if (connection) connection.latest = response;
      if (this.#isDraining) response.shouldKeepAlive = false;
    });
  }

  get isDraining(): boolean {
    return this.#isDraining;
  }

  /** From now on every response closes its connection, so that clients open their next one elsewhere. */
  begin(): void {
    if (this.#isDraining) return;
    this.#isDraining = true;
    for (const { latest } of this.#connections.values()) {
      if (latest && !latest.headersSent) latest.shouldKeepAlive = false;
    }
  }

  /**
   * Stops accepting connections and waits until every request is answered, those included that still arrive on open
   * connections. What is left after `limitMs` is cut off.
   * @returns whether every request was answered in time.
   */
  async close(limitMs: number): Promise<boolean> {
    this.begin();
    const closed = new Promise<true>((resolve) => this.server.once('close', () => resolve(true)));
    await closeListener(this.server);
    const sweep = setInterval(() => this.#closeIdle(), IDLE_CHECK_MS);
    const isDone = await Promise.race([closed, setTimeout(limitMs, false, { ref: false })]);
    clearInterval(sweep);
    if (!isDone) this.server.closeAllConnections();
    return isDone;
  }

  /** Closes connections without a request under way on which nothing has arrived for a while. */
  #closeIdle(): void {
    for (const [socket, connection] of this.#connections) {
      const { latest } = connection;
      const isBusy = latest && !latest.writableFinished;
      // A connection that is not kept alive closes by itself as soon as the client has the response.
      const closesItself = latest && !latest.shouldKeepAlive;
      if (isBusy || closesItself) continue;
      connection.idleChecks = connection.received === socket.bytesRead ? connection.idleChecks + 1 : 0;
      connection.received = socket.bytesRead;
      if (connection.idleChecks >= (latest ? IDLE_CHECKS : IDLE_CHECKS_BEFORE_FIRST_REQUEST)) socket.destroy();
    }
  }
}
