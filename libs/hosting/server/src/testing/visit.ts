import { type IncomingHttpHeaders, type IncomingMessage, type OutgoingHttpHeaders, request } from 'node:http';
import { request as secureRequest } from 'node:https';
import { connect } from 'node:net';
import { buffer, text } from 'node:stream/consumers';

export interface VisitResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly bytes: Buffer;
}

export interface VisitOptions {
  readonly method?: string;
  readonly headers?: OutgoingHttpHeaders;
  /** Visits by https, and trusts this certificate authority. */
  readonly ca?: string;
  /** The host in the handshake. Default: that of the request. */
  readonly servername?: string;
}

/** Request headers of a browser when a person opens an address. */
export const NAVIGATION_HEADERS = { 'sec-fetch-mode': 'navigate', accept: 'text/html,*/*;q=0.8' };

/**
 * Sends a request with a raw target and host to a server on this machine, over a new connection.
 * @param at the host field and the request target, unchanged.
 */
export async function visit(
  port: number,
  at: { readonly host: string; readonly target?: string },
  { method = 'GET', headers = {}, ca, servername = at.host.replace(/:\d+$/, '') }: VisitOptions = {},
): Promise<VisitResponse> {
  const send = ca === undefined ? request : secureRequest;
  const exchange = send({
    port,
    host: '127.0.0.1',
    method,
    path: at.target ?? '/',
    agent: false,
    ...(ca !== undefined && { ca, servername }),
    headers: { ...headers, host: at.host },
  });
  exchange.end();
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    exchange.once('response', resolve).once('error', reject);
  });
  const bytes = await buffer(response);
  return { status: response.statusCode ?? 0, headers: response.headers, body: bytes.toString(), bytes };
}

/** Sends raw bytes and returns the response when the connection closes. */
export function exchangeRaw(port: number, sent: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  socket.write(sent, 'latin1');
  return text(socket);
}
