import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

/** The last response of each connection: what else may happen on a connection depends on whether one is under way. */
export class ConnectionTracker {
  readonly #last = new WeakMap<Duplex, ServerResponse>();

  track({ socket }: IncomingMessage, response: ServerResponse): void {
    this.#last.set(socket, response);
  }

  /** Whether a request on this connection is not answered completely yet. */
  isBusy(socket: Duplex): boolean {
    const last = this.#last.get(socket);
    return last !== undefined && !last.writableFinished;
  }

  /** Whether a part of an answer was sent and the rest was not. */
  isResponding(socket: Duplex): boolean {
    return this.isBusy(socket) && this.#last.get(socket)?.headersSent === true;
  }
}
