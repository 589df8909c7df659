import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { closeListener } from './close-listener';
import { connectionEventOf } from './connection-event';

/** How often idle connections are closed once the listener is closed. */
const IDLE_CHECK_MS = 250;
/** Checks without a new byte before a connection closes. More before its first request, which may be on its way. */
const IDLE_CHECKS = 1;
const IDLE_CHECKS_BEFORE_FIRST_REQUEST = 8;

interface Connection {
  /** The response to the latest request; undefined before the first request. */
  latest: ServerResponse | undefined;
  /** Bytes received by the last check that found no pending request; -1 before that check. */
  received: number;
  /** Consecutive checks without a new byte. */
  idleChecks: number;
}

/** Shuts an HTTP server down without failing a request. Create it before the server listens. */
export class Drain {
  #isDraining = false;
  readonly #connections = new Map<Socket, Connection>();

  constructor(private readonly server: Server) {
    server.on(connectionEventOf(server), (socket: Socket) => {
      // `ignoreUpgrades` emits the event again for the same socket.
      if (this.#connections.has(socket)) return;
      this.#connections.set(socket, { latest: undefined, received: -1, idleChecks: 0 });
      socket.once('close', () => this.#connections.delete(socket));
    });
    // Prepended, because the handler may respond at once.
    server.prependListener('request', ({ socket }, response) => {
      const connection = this.#connections.get(socket);
      if (connection) connection.latest = response;
      if (this.#isDraining) response.shouldKeepAlive = false;
    });
  }

  get isDraining(): boolean {
    return this.#isDraining;
  }

  /** Closes each connection with its next response, so that clients connect to another instance. */
  begin(): void {
    if (this.#isDraining) return;
    this.#isDraining = true;
    for (const { latest } of this.#connections.values()) {
      if (latest && !latest.headersSent) latest.shouldKeepAlive = false;
    }
  }

  /**
   * Stops accepting connections and waits for all responses, including those to requests that still arrive on open
   * connections. Closes the remaining connections after `limitMs`.
   * @returns whether every request was answered in time.
   */
  async close(limitMs: number): Promise<boolean> {
    this.begin();
    const closed = new Promise<true>((resolve) => this.server.once('close', () => resolve(true)));
    await closeListener(this.server);
    const idleTimer = setInterval(() => this.#closeIdle(), IDLE_CHECK_MS);
    const isDone = await Promise.race([closed, setTimeout(limitMs, false, { ref: false })]);
    clearInterval(idleTimer);
    if (!isDone) this.server.closeAllConnections();
    return isDone;
  }

  /** Closes connections that have no pending request and received no bytes for a while. */
  #closeIdle(): void {
    for (const [socket, connection] of this.#connections) {
      const { latest } = connection;
      const isBusy = latest && !latest.writableFinished;
      // Without keep-alive, a connection closes when the client has received the response.
      const closesItself = latest && !latest.shouldKeepAlive;
      if (isBusy || closesItself) continue;
      connection.idleChecks = connection.received === socket.bytesRead ? connection.idleChecks + 1 : 0;
      connection.received = socket.bytesRead;
      if (connection.idleChecks >= (latest ? IDLE_CHECKS : IDLE_CHECKS_BEFORE_FIRST_REQUEST)) socket.destroy();
    }
  }
}
