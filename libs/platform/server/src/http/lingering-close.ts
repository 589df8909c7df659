import type { Socket } from 'node:net';

/** Long enough for an answer to be read on a slow line. */
const LINGER_MS = 2_000;

/**
 * Lets a connection that is going to be closed first take in what the other side still sends. Closing it with bytes
 * unread resets it, and whoever is busy sending loses the answer that says why it should stop.
 */
export function enableLingeringClose(socket: Socket): void {
  // What Node's HTTP server calls once an answer that closes the connection is written.
  socket.destroySoon = () => {
    socket.end();
    const limit = setTimeout(() => socket.destroy(), LINGER_MS);
    socket.once('close', () => clearTimeout(limit));
  };
}
