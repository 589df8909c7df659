import { type IncomingMessage, request as sendRequest, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { enableLingeringClose, type UpgradeRequest } from '@homeport/platform/server/node-http';
import { ForwardFailed, hasBody, hasValidStatus, isUnreachable } from './forward-request';

/** A close frame with the code 1001, "going away" (RFC 6455, section 7.4.1). */
const GOING_AWAY = Buffer.from([0x88, 0x02, 0x03, 0xe9]);

export interface ForwardUpgradeOptions {
  readonly socketPath: string;
  /** The target of the forwarded request; that of the request by default. */
  readonly path?: string;
  /** Header fields of the forwarded request, without those of the connection. */
  readonly headers: readonly string[];
  /** @returns the header fields of the response, without those of the connection. */
  readonly onResponse: (upstream: IncomingMessage) => readonly string[] | undefined;
  readonly firstByteMs: number;
  /** Without a byte in either direction, until the connection closes. */
  readonly idleMs: number;
}

/** Whether a request asks for a WebSocket. A body would be read as bytes of the WebSocket. */
export function asksForWebSocket(request: IncomingMessage): boolean {
  return request.method === 'GET' && request.headers.upgrade?.toLowerCase() === 'websocket' && !hasBody(request);
}

/**
 * Forwards a request for a WebSocket, then the bytes of both sides.
 * @returns when the connection has ended; false when the caller must answer, because `onResponse` did not.
 * @throws {ForwardFailed} before anything is sent to the client.
 */
export async function forwardUpgrade(exchange: UpgradeRequest, options: ForwardUpgradeOptions): Promise<boolean> {
  const { request, socket } = exchange;
  const headers = [...options.headers, 'Connection', 'Upgrade', 'Upgrade', 'websocket'];
  const { socketPath, path = request.url ?? '/' } = options;
  const upstream = sendRequest({ socketPath, agent: false, method: 'GET', path, headers });
  const { promise, resolve, reject } = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => upstream.destroy(new ForwardFailed('timeout')), options.firstByteMs);
  const onClose = () => {
    upstream.destroy();
    resolve(true);
  };
  socket.once('close', onClose);
  upstream.on('error', (cause: NodeJS.ErrnoException) => {
    const failed = new ForwardFailed(isUnreachable(cause) ? 'unreachable' : 'disconnected', { cause });
    reject(cause instanceof ForwardFailed ? cause : failed);
  });
  upstream.on('response', (response) => {
    if (!hasValidStatus(response)) return void upstream.destroy(new ForwardFailed('invalid-response'));
    clearTimeout(timer);
    const fields = options.onResponse(response);
    if (fields) return sendResponse(exchange, response, fields);
    response.resume();
    resolve(false);
  });
  upstream.on('upgrade', (response, tunnel, rest) => {
    clearTimeout(timer);
    connectBoth(exchange, { response, tunnel, rest }, options);
  });
  upstream.end();
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    socket.off('close', onClose);
  }
}

/** Sends a response instead of a WebSocket, and closes the connection. */
export function responseFor({ request, socket }: UpgradeRequest): ServerResponse {
  const response = new ServerResponse(request);
  response.shouldKeepAlive = false;
  response.assignSocket(socket as Socket);
  response.once('finish', () => socket.end());
  return response;
}

function sendResponse(exchange: UpgradeRequest, upstream: IncomingMessage, fields: readonly string[]): void {
  const response = responseFor(exchange);
  response.writeHead(upstream.statusCode ?? 502, [...fields]);
  upstream.on('error', () => exchange.socket.destroy());
  upstream.pipe(response);
}

function connectBoth(
  { socket, rest: sent, closing }: UpgradeRequest,
  { response, tunnel, rest }: { readonly response: IncomingMessage; readonly tunnel: Socket; readonly rest: Buffer },
  { onResponse, idleMs }: ForwardUpgradeOptions,
): void {
  const fields = [...(onResponse(response) ?? []), 'Connection', 'Upgrade', 'Upgrade', 'websocket'];
  const lines = [`HTTP/1.1 101 ${response.statusMessage}`];
  for (let index = 0; index < fields.length; index += 2) lines.push(`${fields[index]}: ${fields[index + 1]}`);
  socket.write(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
  if (rest.length > 0) socket.write(rest);
  if (sent.length > 0) tunnel.write(sent);
  const client = socket as Socket;
  // Clients may leave their side of a closed connection open for as long as they like.
  enableLingeringClose(client);
  const goAway = () => {
    client.write(GOING_AWAY);
    tunnel.destroy();
  };
  client.setTimeout(idleMs, goAway);
  closing?.addEventListener('abort', goAway);
  tunnel.setTimeout(0);
  tunnel.setNoDelay?.(true);
  tunnel.on('error', () => socket.destroy());
  socket.on('error', () => tunnel.destroy());
  socket.once('close', () => tunnel.destroy());
  tunnel.once('close', () => {
    closing?.removeEventListener('abort', goAway);
    client.resume();
    client.destroySoon();
  });
  tunnel.pipe(socket, { end: false });
  socket.pipe(tunnel);
  if (closing?.aborted) goAway();
}
