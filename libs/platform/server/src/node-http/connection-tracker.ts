import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

/** Tracks the latest response of each connection. Other actions on the connection depend on its progress. */
export class ConnectionTracker {
  readonly #last = new WeakMap<Duplex, ServerResponse>();

  track({ socket }: IncomingMessage, response: ServerResponse): void {
    this.#last.set(socket, response);
  }

  /** Whether the latest response of the connection is not complete. */
  isBusy(socket: Duplex): boolean {
    const last = this.#last.get(socket);
    return last !== undefined && !last.writableFinished;
  }

  /** Whether a response was sent partly. */
  isResponding(socket: Duplex): boolean {
    return this.isBusy(socket) && this.#last.get(socket)?.headersSent === true;
  }
}
