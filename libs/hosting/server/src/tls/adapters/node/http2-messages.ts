import type { IncomingMessage, InformationEvent } from 'node:http';
import { constants, type IncomingHttpHeaders, type OutgoingHttpHeaders, type ServerHttp2Stream } from 'node:http2';
import { pipeline } from 'node:stream';

/** Fields that HTTP/2 does not allow (RFC 9113, section 8.2.2). */
const FIELDS_OF_CONNECTIONS = new Set([
  'connection',
  'http2-settings',
  'keep-alive',
  'proxy-connection',
  'te',
  'transfer-encoding',
  'upgrade',
]);
/** Requests of these methods say so when they have no body. */
const METHODS_WITH_BODY = new Set(['POST', 'PUT', 'PATCH']);

/**
 * The fields of a request in HTTP/1.1, names and values alternating.
 * @param isEmpty whether the request has no body.
 * @returns undefined for a request that HTTP/1.1 cannot state, such as CONNECT.
 */
export function requestFieldsOf(headers: IncomingHttpHeaders, isEmpty: boolean): string[] | undefined {
  const { ':method': method = '', ':path': path, ':authority': authority, host = authority } = headers;
  const isSameHost = authority === undefined || authority.toLowerCase() === host?.toLowerCase();
  // An absolute path would replace the host.
  const isPath = path?.startsWith('/') || path === '*';
  if (method === 'CONNECT' || !isPath || !isSameHost) return undefined;
  const fields = host === undefined ? [] : ['Host', host];
  for (const [name, value] of Object.entries(headers)) {
    if (name.startsWith(':') || name === 'host' || value === undefined) continue;
    for (const each of [value].flat()) fields.push(name, each);
  }
  if (headers['content-length'] !== undefined) return fields;
  if (!isEmpty) fields.push('Transfer-Encoding', 'chunked');
  else if (METHODS_WITH_BODY.has(method)) fields.push('Content-Length', '0');
  return fields;
}

/** @param raw names and values alternating. */
export function toResponseFields(raw: readonly string[]): OutgoingHttpHeaders {
  // Without a prototype, because a field may be named `constructor`.
  const fields = Object.create(null) as Record<string, string | string[]>;
  for (let index = 0; index < raw.length; index += 2) {
    const name = (raw[index] as string).toLowerCase();
    const value = raw[index + 1] as string;
    if (FIELDS_OF_CONNECTIONS.has(name)) continue;
    const earlier = fields[name];
    fields[name] = earlier === undefined ? value : [earlier, value].flat();
  }
  return fields;
}

/** Sends a response that precedes the final one, such as early hints. */
export function sendInformation(stream: ServerHttp2Stream, { statusCode, rawHeaders }: InformationEvent): void {
  if (stream.headersSent || stream.destroyed || stream.closed || statusCode === 101) return;
  stream.additionalHeaders({ ...toResponseFields(rawHeaders), ':status': statusCode });
}

/** Sends a response by HTTP/2. When it breaks off, so does the stream. */
export function sendResponse(stream: ServerHttp2Stream, response: IncomingMessage): void {
  const { statusCode = 502, rawHeaders } = response;
  if (stream.destroyed || stream.closed) return void response.destroy();
  const fields = { ...toResponseFields(rawHeaders), ':status': statusCode };
  // Visitors reject it (RFC 9110, section 8.6).
  if (statusCode === 204) delete fields['content-length'];
  try {
    stream.respond(fields);
  } catch {
    // HTTP/2 cannot state what a server of an app sent, such as the status 799.
    response.destroy();
    return stream.close(constants.NGHTTP2_INTERNAL_ERROR);
  }
  // The visitor need not send the rest of a body that the server did not read.
  const endRequest = () => {
    if (!stream.readableEnded) stream.close(constants.NGHTTP2_NO_ERROR);
  };
  // Node ends the stream after the fields where no body is allowed.
  if (stream.writableEnded) return void response.once('end', endRequest).resume();
  pipeline(response, stream, (error) => {
    if (!error) endRequest();
  });
}
