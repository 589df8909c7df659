import { type AddressInfo, connect, Server } from 'node:net';

const TRIES = 40;
const TRY_MS = 50;

/**
 * Stops accepting connections. Closing a listening socket resets every connection that the kernel has opened and the
 * process has not accepted yet, and their clients may have sent a request already. So the queue of such connections is
 * first shortened to one, which makes the kernel ignore further connection attempts; a client repeats its attempt and is
 * then refused, which is safe to repeat elsewhere. The listener is closed while that one place is taken by a connection
 * of our own. After two seconds without success, and where the queue cannot be shortened, the listener is closed anyway.
 *
 * Open connections stay as they are; the server emits `close` when the last one has ended.
 */
export async function closeListener(server: Server): Promise<void> {
  const address = server.address();
  if (isTcp(address) && shrinkAcceptQueue(server)) {
    for (let tries = 0; tries < TRIES && server.listening; tries += 1) await closeBehindOwnConnection(server, address);
  }
  if (server.listening) closeNow(server);
}

function isTcp(address: AddressInfo | string | null): address is AddressInfo {
  return typeof address === 'object' && address !== null;
}

/**
 * Calls `listen` again on the listening socket, with a queue of length 0 (Linux then holds one connection). Node has no
 * public call for it.
 */
function shrinkAcceptQueue(server: Server): boolean {
  const { _handle: handle } = server as Server & { _handle?: { listen?: (backlog: number) => number } };
  return process.platform === 'linux' && handle?.listen?.(0) === 0;
}

/** Closes the listener if our own connection is open and still unaccepted, so that it is the only one in the queue. */
function closeBehindOwnConnection(server: Server, { port, family, address }: AddressInfo): Promise<void> {
  const accepted = new Set<number | undefined>();
  const onConnection = ({ remotePort }: { readonly remotePort?: number }) => void accepted.add(remotePort);
  server.on('connection', onConnection);
  const isAnyAddress = address === '0.0.0.0' || address === '::';
  const loopback = family === 'IPv6' ? '::1' : '127.0.0.1';
  const own = connect({ port, host: isAnyAddress ? loopback : address });
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(limit);
      server.off('connection', onConnection);
      own.destroy();
      resolve();
    };
    const limit = setTimeout(end, TRY_MS);
    own.once('connect', () => {
      if (!accepted.has(own.localPort)) closeNow(server);
      end();
    });
    own.on('error', end);
  });
}

/** Not by the method of an HTTP server, which also closes connections that have just received a request. */
function closeNow(server: Server): void {
  Server.prototype.close.call(server);
}
