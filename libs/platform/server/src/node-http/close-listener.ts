import { type AddressInfo, connect, Server, type Socket } from 'node:net';

/** How long to wait for an empty accept queue: Node accepts one connection in each turn of its event loop. */
const LIMIT_MS = 2_000;

/**
 * Stops accepting connections. Closing a listening socket resets every connection in the accept queue: the kernel has
 * opened these connections, the process has not accepted them yet, and their clients may have sent a request. The
 * function therefore first shortens the queue to one entry, so that the kernel ignores further connection attempts.
 * Clients repeat an ignored attempt, are then refused and can safely connect elsewhere. The listener closes while a
 * connection of this function occupies the one entry. It closes anyway after two seconds without success, and when the
 * queue cannot be shortened.
 *
 * Open connections stay as they are; the server emits `close` when the last one has ended.
 */
export async function closeListener(server: Server): Promise<void> {
  const address = server.address();
  if (isTcp(address) && shrinkAcceptQueue(server)) {
    const end = performance.now() + LIMIT_MS;
    while (server.listening && performance.now() < end) {
      // A turn of the event loop accepts a connection; the attempt comes after it.
      await new Promise(setImmediate);
      await closeBehindProbe(server, address);
    }
  }
  if (server.listening) closeNow(server);
}

function isTcp(address: AddressInfo | string | null): address is AddressInfo {
  return typeof address === 'object' && address !== null;
}

/**
 * Calls `listen` again on the listening socket with a backlog of 0, for which Linux queues one connection. Node has no
 * public API for it.
 */
function shrinkAcceptQueue(server: Server): boolean {
  const { _handle: handle } = server as Server & { _handle?: { listen?: (backlog: number) => number } };
  return process.platform === 'linux' && handle?.listen?.(0) === 0;
}

/**
 * Closes the listener if a connection to it opens at once: nothing was accepted in the meantime, so it is the only one
 * in the queue.
 */
async function closeBehindProbe(server: Server, { port, family, address }: AddressInfo): Promise<void> {
  const isAnyAddress = address === '0.0.0.0' || address === '::';
  const loopback = family === 'IPv6' ? '::1' : '127.0.0.1';
  const probe = connect({ port, host: isAnyAddress ? loopback : address });
  probe.on('error', () => undefined);
  // `connect` calls the kernel in the next tick, which comes before the event loop accepts a connection.
  await new Promise<void>((resolve) => process.nextTick(resolve));
  if (server.listening && isOpen(probe)) closeNow(server);
  probe.destroy();
}

/** Asks the kernel, because Node learns of it in a later turn, which may accept the connection. No public API does. */
function isOpen(socket: Socket): boolean {
  const { _handle: handle } = socket as Socket & { _handle?: { getpeername?: (name: object) => number } };
  return handle?.getpeername?.({}) === 0;
}

/** Avoids the `close` of the HTTP server, which also closes connections that have just received a request. */
function closeNow(server: Server): void {
  Server.prototype.close.call(server);
}
