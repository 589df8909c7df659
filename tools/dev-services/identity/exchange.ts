import type { IncomingMessage, ServerResponse } from 'node:http';
import { errors } from 'oidc-provider';

const FORM_BYTES = 4096;

/** One request to a hosted page. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly query: URLSearchParams;
  /** The named groups of the route's pattern. */
  readonly params: Readonly<Record<string, string | undefined>>;
}

export interface Route {
  readonly method: 'GET' | 'POST';
  readonly path: RegExp;
  handle(exchange: Exchange): Promise<void>;
}

export function sendPage(response: ServerResponse, status: number, body: string): void {
  response.writeHead(status, {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
  });
  response.end(body);
}

/** 303: the browser follows with GET after any method. */
export function redirect(response: ServerResponse, location: string): void {
  response.writeHead(303, { Location: location, 'Content-Length': 0 });
  response.end();
}

/** @throws InvalidRequest for a body that is not a form or larger than any form of a hosted page. */
export async function readForm(request: IncomingMessage): Promise<URLSearchParams> {
  if (!request.headers['content-type']?.startsWith('application/x-www-form-urlencoded')) {
    throw new errors.InvalidRequest('a form is expected');
  }
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > FORM_BYTES) throw new errors.InvalidRequest('the form is too large');
    chunks.push(chunk);
  }
  return new URLSearchParams(Buffer.concat(chunks).toString());
}
