import { type AddressInfo, connect, Server, type Socket } from 'node:net';

/** How long to wait for an empty accept queue: Node accepts one connection in each turn of its event loop. */
const EMPTY_QUEUE_LIMIT_MS = 2_000;

/**
 * Stops accepting connections. Closing a listening socket resets every connection in the accept queue: the kernel has
 * opened these connections, the process has not accepted them yet, and their clients may have sent a request. The
 * function therefore first shortens the queue to one entry, so that the kernel ignores further connection attempts.
 * Clients repeat an ignored attempt, are then refused and can safely connect elsewhere. The listener closes while a
 * connection of this function occupies the one entry. It closes anyway after two seconds without success, and at once
 * where the queue cannot be shortened. A client can still be reset if its handshake is under way in that moment.
 *
 * Open connections stay as they are; the server emits `close` when the last one has ended.
 * @returns whether the queue was empty but for the connection of this function.
 */
export async function closeListener(server: Server): Promise<boolean> {
  const address = server.address();
  if (isTcp(address) && shrinkAcceptQueue(server)) {
    const end = performance.now() + EMPTY_QUEUE_LIMIT_MS;
    while (server.listening && performance.now() < end) {
      // A turn of the event loop accepts a connection; the attempt comes after it.
      await new Promise(setImmediate);
      if (await closeBehindProbe(server, address)) return true;
    }
  }
  if (server.listening) closeNow(server);
  return false;
}

function isTcp(address: AddressInfo | string | null): address is AddressInfo {
  return typeof address === 'object' && address !== null;
}

/** What Node can do with a socket of the kernel, without a public API. */
interface KernelHandle {
  /** Sets the length of the accept queue of a listening socket. @returns 0 or an error number. */
  readonly listen?: (backlog: number) => number;
  /** @returns 0 when the socket is connected, otherwise an error number. */
  readonly getpeername?: (name: object) => number;
}

function handleOf(socket: Socket | Server): KernelHandle | undefined {
  return (socket as { _handle?: KernelHandle })._handle;
}

/** With a length of 0, Linux queues one connection. */
function shrinkAcceptQueue(server: Server): boolean {
  const handle = handleOf(server);
  // A connection, whose peer is asked for later, has the same kind of handle as a listener.
  return process.platform === 'linux' && handle?.getpeername !== undefined && handle.listen?.(0) === 0;
}

/** @returns whether it closed the listener: a connection to it opened at once, so no other is in the queue. */
async function closeBehindProbe(server: Server, { port, family, address }: AddressInfo): Promise<boolean> {
  const isAnyAddress = address === '0.0.0.0' || address === '::';
  const loopback = family === 'IPv6' ? '::1' : '127.0.0.1';
  const probe = connect({ port, host: isAnyAddress ? loopback : address });
  probe.on('error', () => undefined);
  // `connect` calls the kernel in the next tick, which comes before the event loop accepts a connection.
  await new Promise<void>((resolve) => process.nextTick(resolve));
  const isBehind = server.listening && isConnectedNow(probe);
  if (isBehind) closeNow(server);
  probe.destroy();
  return isBehind;
}

/** Asks the kernel, because Node learns of it in a later turn, which may accept the connection. */
function isConnectedNow(socket: Socket): boolean {
  return handleOf(socket)?.getpeername?.({}) === 0;
}

/** Avoids the `close` of the HTTP server, which also closes connections that have just received a request. */
function closeNow(server: Server): void {
  Server.prototype.close.call(server);
}
