import { type IncomingHttpHeaders, type OutgoingHttpHeaders, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { settings } from '../homeport';

/** What a visitor of a deployed app got. */
export interface Visit {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  readonly text: string;
}

export interface VisitOptions {
  readonly method?: string;
  readonly headers?: OutgoingHttpHeaders;
  /** Of an edge other than the product's own. */
  readonly port?: number;
}

/**
 * Visits an address of a deployed app. Node does not resolve names under `localhost`, so it is the edge that is called,
 * and the host only named.
 */
export async function visit(
  address: string,
  { method = 'GET', headers = {}, port = Number(settings['EDGE_PORT']) }: VisitOptions = {},
): Promise<Visit> {
  const { hostname, pathname, search } = new URL(address);
  return visitHost(hostname, pathname + search, { method, headers, port });
}

/** The same with a host and a target as they are put on the wire. */
export function visitHost(
  host: string,
  target: string,
  { method = 'GET', headers = {}, port = Number(settings['EDGE_PORT']) }: VisitOptions = {},
): Promise<Visit> {
  return new Promise((resolve, reject) => {
    const sent = request({
      host: '127.0.0.1',
      port,
      method,
      path: target,
      agent: false,
      headers: { host: `${host}:${port}`, ...headers },
    });
    sent.once('error', reject);
    sent.once('response', (response) => {
      buffer(response).then(
        (body) => resolve({ status: response.statusCode ?? 0, headers: response.headers, body, text: body.toString() }),
        reject,
      );
    });
    sent.end();
  });
}
