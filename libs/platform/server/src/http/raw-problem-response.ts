import { type ServerResponse, STATUS_CODES } from 'node:http';
import { type DomainError, problemOf } from '@homeport/kernel';
import { enableLingeringClose } from '../node-http/lingering-close';
import { PRIVATE_RESPONSE_HEADERS } from './private-responses';
import { NOSNIFF_HEADER } from './request-log';

/** A problem as a complete HTTP response, for errors that occur before the framework handles the request. */
interface RawProblemResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

interface RawProblemOptions {
  /** Whether the connection stays open; only without an unread body. Default: false. */
  readonly keepAlive?: boolean;
}

function rawProblemResponse(
  error: DomainError,
  requestId: string,
  { keepAlive = false }: RawProblemOptions = {},
): RawProblemResponse {
  const problem = problemOf(error, requestId);
  const body = JSON.stringify(problem);
  const headers = {
    ...error.headers,
    ...PRIVATE_RESPONSE_HEADERS,
    ...NOSNIFF_HEADER,
    'content-type': 'application/problem+json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    'x-request-id': requestId,
    ...(!keepAlive && { connection: 'close' }),
  };
  return { status: problem.status, headers, body };
}

/** Sends a problem and closes the connection, unless it is kept alive. If a response has begun, the connection is closed at once. */
export function sendRawProblem(
  response: ServerResponse,
  error: DomainError,
  requestId: string,
  options: RawProblemOptions = {},
): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const { status, headers, body } = rawProblemResponse(error, requestId, options);
  if (response.socket && !options.keepAlive) enableLingeringClose(response.socket);
  response.writeHead(status, headers).end(body);
}

/** @returns the complete HTTP message, for a connection whose request could not be parsed. */
export function formatProblemMessage(error: DomainError, requestId: string): string {
  const { status, headers, body } = rawProblemResponse(error, requestId);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`;
}
