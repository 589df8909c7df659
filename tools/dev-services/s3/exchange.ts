import type { IncomingMessage, ServerResponse } from 'node:http';
import type { S3Error } from './protocol/errors.ts';
import type { RequestHeaders } from './protocol/headers.ts';
import type { Target } from './protocol/target.ts';
import { errorDocument, leaf } from './protocol/xml.ts';
import type { Bucket } from './storage/bucket.ts';
import type { Storage } from './storage/storage.ts';

/** One verified request and its response. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly target: Target;
  /** Includes the headers that a presigned URL carries in its query. */
  readonly headers: RequestHeaders;
  /** `x-amz-content-sha256`. */
  readonly payloadHash: string;
  readonly storage: Storage;
}

/** A request for an existing bucket. */
export interface BucketExchange extends Exchange {
  readonly bucket: Bucket;
}

/** A request for a key, with or without an object. */
export interface ObjectExchange extends BucketExchange {
  readonly key: string;
}

export type ResponseHeaders = Readonly<Record<string, string | number>>;

export function sendXml({ response }: Pick<Exchange, 'response'>, xml: string, headers: ResponseHeaders = {}): void {
  const body = Buffer.from(xml);
  response.writeHead(200, { ...headers, 'content-type': 'application/xml', 'content-length': body.length });
  response.end(body);
}

export function sendEmpty(
  { response }: Pick<Exchange, 'response'>,
  status: 200 | 204,
  headers: ResponseHeaders = {},
): void {
  response.writeHead(status, status === 204 ? headers : { ...headers, 'content-length': 0 });
  response.end();
}

/** Sends the error, or closes the connection when the response has already started. */
export function sendError(
  response: ServerResponse,
  error: S3Error,
  request: { id: string; path: string; head: boolean },
): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  if (request.head || error.status === 304) {
    response.writeHead(error.status, error.headers);
    response.end();
    return;
  }
  const details = [leaf('Code', error.code), leaf('Message', error.message)];
  const xml = errorDocument(...details, leaf('Resource', request.path), leaf('RequestId', request.id));
  const body = Buffer.from(xml);
  response.writeHead(error.status, {
    ...error.headers,
    'content-type': 'application/xml',
    'content-length': body.length,
  });
  response.end(body);
}
