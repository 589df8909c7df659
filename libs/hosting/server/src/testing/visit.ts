import { type IncomingHttpHeaders, type IncomingMessage, type OutgoingHttpHeaders, request } from 'node:http';
import { connect as connectByHttp2 } from 'node:http2';
import { request as secureRequest } from 'node:https';
import { once } from 'node:events';
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
  /** Over TLS. Default: HTTP/1.1. */
  readonly protocol?: Protocol;
}

export type Protocol = 'http/1.1' | 'h2';

/** Request headers of a browser when a person opens an address. */
export const NAVIGATION_HEADERS = { 'sec-fetch-mode': 'navigate', accept: 'text/html,*/*;q=0.8' };

/**
 * Sends a request with a raw target and host to a server on this machine, over a new connection.
 * @param at the host field and the request target, unchanged.
 */
export async function visit(
  port: number,
  at: { readonly host: string; readonly target?: string },
  { method = 'GET', headers = {}, ca, servername = at.host.replace(/:\d+$/, ''), protocol }: VisitOptions = {},
): Promise<VisitResponse> {
  if (protocol === 'h2') return visitByHttp2(port, at, { method, headers, ca, servername });
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

async function visitByHttp2(
  port: number,
  { host, target = '/' }: { readonly host: string; readonly target?: string },
  { method, headers, ca, servername }: VisitOptions,
): Promise<VisitResponse> {
  const session = connectByHttp2(`https://127.0.0.1:${port}`, { ca, servername });
  try {
    await once(session, 'connect');
    const stream = session.request(
      { ...headers, ':method': method, ':authority': host, ':path': target },
      { endStream: true },
    );
    const [{ ':status': status = 0, ...fields }] = (await once(stream, 'response')) as [
      IncomingHttpHeaders & { ':status'?: number },
    ];
    const bytes = await buffer(stream);
    return { status, headers: fields, body: bytes.toString(), bytes };
  } finally {
    session.destroy();
  }
}

/** Sends raw bytes and returns the response when the connection closes. */
export function exchangeRaw(port: number, sent: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  socket.write(sent, 'latin1');
  return text(socket);
}
