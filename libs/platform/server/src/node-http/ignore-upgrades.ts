import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { connectionEventOf } from './connection-event';
import { wrapRequestHandler } from './request-handler';

/** A request for another protocol. */
export interface UpgradeRequest {
  readonly request: IncomingMessage;
  readonly socket: Duplex;
  /** Bytes that followed the head of the request. */
  readonly rest: Buffer;
  /** Aborts when the server closes: the connection must end. Default: never. */
  readonly closing?: AbortSignal;
}

/** @returns whether it takes the connection. Otherwise the request is served as if it had no `Upgrade` header. */
export type UpgradeHandler = (exchange: UpgradeRequest) => Promise<boolean>;

/** Headers that request another protocol or belong to such a request. */
const UPGRADE_HEADERS = ['upgrade', 'connection', 'http2-settings'];
/** Node's default for `maxHeadersCount`. */
const DEFAULT_HEADERS_COUNT = 1_000;

/**
 * Serves requests with an `Upgrade` header as if they had none (RFC 9110, section 7.8). Node's parser stops after such
 * a request and drops the bytes that follow in the same packet, so the head is parsed again without the header.
 * @param isBusy whether an earlier response on the connection is pending. The parser cannot be replaced then, so the
 * connection closes after the response, and the client repeats later requests. The same happens when Node may have
 * dropped headers (`maxHeadersCount`): a head without `Content-Length` would turn the body into a second request.
 * @param accept takes a connection for another protocol. It never rejects.
 */
export function ignoreUpgrades(server: Server, isBusy: (socket: Duplex) => boolean, accept?: UpgradeHandler): void {
  const mayReplaceParser = (request: IncomingMessage) => !isBusy(request.socket) && hasAllHeaders(server, request);
  Object.assign(server, { shouldUpgradeCallback: mayReplaceParser });
  const ignore = ({ request, socket, rest }: UpgradeRequest) => {
    socket.unshift(Buffer.concat([Buffer.from(headWithoutUpgrade(request), 'latin1'), rest]));
    server.emit(connectionEventOf(server), socket);
  };
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, rest: Buffer) => {
    const exchange = { request, socket, rest };
    if (!accept) return ignore(exchange);
    // Node has removed its listeners, and an error without a listener would end the process.
    const onError = () => socket.destroy();
    socket.on('error', onError);
    void accept(exchange).then((isAccepted) => {
      if (isAccepted || socket.destroyed) return;
      socket.off('error', onError);
      ignore(exchange);
    });
  });
  wrapRequestHandler(server, (handle) => (request, response) => {
    if (asksForUpgrade(request) || !hasAllHeaders(server, request)) response.shouldKeepAlive = false;
    handle(request, response);
  });
}

/** @returns false when Node may have dropped headers of the request. */
function hasAllHeaders({ maxHeadersCount }: Server, { rawHeaders }: IncomingMessage): boolean {
  const limit = maxHeadersCount ?? DEFAULT_HEADERS_COUNT;
  // Raw headers alternate names and values.
  return limit <= 0 || rawHeaders.length < limit * 2;
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
