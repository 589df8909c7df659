import type { Socket } from 'node:net';

/** Long enough to read a response over a slow connection. */
const LINGER_MS = 2_000;

/**
 * Makes a connection keep reading for a while after the response that closes it. Closing a socket with unread bytes
 * resets the connection, and a client that is still sending would lose the response.
 */
export function enableLingeringClose(socket: Socket): void {
  // Node's HTTP server calls this method after writing a response that closes the connection.
  socket.destroySoon = () => {
    socket.end();
    const limit = setTimeout(() => socket.destroy(), LINGER_MS);
    socket.once('close', () => clearTimeout(limit));
  };
}
