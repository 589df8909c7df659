import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
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
  /** Whether it left HTTP, such as for a WebSocket. */
  isTunnel: boolean;
}

/** Shuts an HTTP server down without failing a request. Create it before the server listens. */
export class Drain {
  #isDraining = false;
  readonly #connections = new Map<Socket, Connection>();
  readonly #closing = new AbortController();

  constructor(private readonly server: Server) {
    server.on(connectionEventOf(server), (socket: Socket) => {
      // `ignoreUpgrades` emits the event again for the same socket.
      const known = this.#connections.get(socket);
      if (known) return void (known.isTunnel = false);
      this.#connections.set(socket, { latest: undefined, received: -1, idleChecks: 0, isTunnel: false });
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

  /** Aborts when the server closes: tunnels must end then, because no last response closes them. */
  get closing(): AbortSignal {
    return this.#closing.signal;
  }

  /** Excludes a connection that leaves HTTP from the checks for idle ones. It closes at the time limit at the latest. */
  addTunnel(socket: Duplex): void {
    const connection = this.#connections.get(socket as Socket);
    if (connection) connection.isTunnel = true;
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
    const limit = setTimeout(limitMs, false, { ref: false });
    const closed = new Promise<true>((resolve) => this.server.once('close', () => resolve(true)));
    await closeListener(this.server);
    this.#closing.abort();
    // A check comes after the event loop has read what has arrived, however late the timer is.
    const idleTimer = setInterval(() => setImmediate(() => this.#closeIdle()), IDLE_CHECK_MS);
    const isDone = await Promise.race([closed, limit]);
    clearInterval(idleTimer);
    if (!isDone) this.#closeAll();
    return isDone;
  }

  #closeAll(): void {
    this.server.closeAllConnections();
    // The server itself does not close connections that left HTTP.
    for (const [socket, { isTunnel }] of this.#connections) if (isTunnel) socket.destroy();
  }

  /** Closes connections that have no pending request and received no bytes for a while. */
  #closeIdle(): void {
    for (const [socket, connection] of this.#connections) {
      const { latest, isTunnel } = connection;
      const isBusy = latest && !latest.writableFinished;
      // Without keep-alive, a connection closes when the client has received the response.
      const closesItself = latest && !latest.shouldKeepAlive;
      if (isTunnel || isBusy || closesItself) continue;
      connection.idleChecks = connection.received === socket.bytesRead ? connection.idleChecks + 1 : 0;
      connection.received = socket.bytesRead;
      if (connection.idleChecks >= (latest ? IDLE_CHECKS : IDLE_CHECKS_BEFORE_FIRST_REQUEST)) socket.destroy();
    }
  }
}
