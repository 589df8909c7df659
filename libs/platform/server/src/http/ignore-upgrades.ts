import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';

/** Headers that ask for another protocol, or list what belongs to that wish. */
const UPGRADE_HEADERS = ['upgrade', 'connection', 'http2-settings'];

/**
 * Serves requests with an `Upgrade` header as if they had none (RFC 9110, section 7.8). Node's parser stops after such a
 * request and drops what follows it in the same packet, so its head is parsed again without the header.
 * @param isBusy whether an earlier request on the connection is still being answered. The parser cannot be replaced
 * then: the request is answered, and the connection closes, which tells the client to repeat what came after it.
 */
export function ignoreUpgrades(server: Server, isBusy: (socket: Duplex) => boolean): void {
  Object.assign(server, { shouldUpgradeCallback: (request: IncomingMessage) => !isBusy(request.socket) });
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, rest: Buffer) => {
    socket.unshift(Buffer.concat([Buffer.from(headWithoutUpgrade(request), 'latin1'), rest]));
    server.emit('connection', socket);
  });
  server.prependListener('request', (request, response) => {
    if (asksForUpgrade(request)) response.shouldKeepAlive = false;
  });
}

function asksForUpgrade({ headers }: IncomingMessage): boolean {
  return headers.upgrade !== undefined && /\bupgrade\b/i.test(headers.connection ?? '');
}

function headWithoutUpgrade({ method, url, httpVersion, rawHeaders, headers }: IncomingMessage): string {
  const lines = [`${method} ${url} HTTP/${httpVersion}`];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] as string;
    if (!UPGRADE_HEADERS.includes(name.toLowerCase())) lines.push(`${name}: ${rawHeaders[index + 1]}`);
  }
  if (/\bclose\b/i.test(headers.connection ?? '')) lines.push('Connection: close');
  return `${lines.join('\r\n')}\r\n\r\n`;
}
