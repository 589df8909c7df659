import { type AddressInfo, connect, Server } from 'node:net';

const MAX_ATTEMPTS = 40;
const ATTEMPT_TIMEOUT_MS = 50;

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
    for (let attempt = 0; attempt < MAX_ATTEMPTS && server.listening; attempt += 1)
      await closeBehindProbe(server, address);
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

/** Closes the listener if its test connection is open but not accepted: it is then the only one in the queue. */
function closeBehindProbe(server: Server, { port, family, address }: AddressInfo): Promise<void> {
  const accepted = new Set<number | undefined>();
  const onConnection = ({ remotePort }: { readonly remotePort?: number }) => void accepted.add(remotePort);
  server.on('connection', onConnection);
  const isAnyAddress = address === '0.0.0.0' || address === '::';
  const loopback = family === 'IPv6' ? '::1' : '127.0.0.1';
  const probe = connect({ port, host: isAnyAddress ? loopback : address });
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(limit);
      server.off('connection', onConnection);
      probe.destroy();
      resolve();
    };
    const limit = setTimeout(end, ATTEMPT_TIMEOUT_MS);
    probe.once('connect', () => {
      if (!accepted.has(probe.localPort)) closeNow(server);
      end();
    });
    probe.on('error', end);
  });
}

/** Avoids the `close` of the HTTP server, which also closes connections that have just received a request. */
function closeNow(server: Server): void {
  Server.prototype.close.call(server);
}
