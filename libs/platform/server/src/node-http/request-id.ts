import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** A short name, or a UUID or another number in hex. Longer texts may be tokens, which must not be logged. */
const SAFE_ID = /^(?:[A-Za-z0-9._-]{1,26}|[0-9A-Fa-f-]{1,64})$/;

/** @returns the id from the `X-Request-Id` header if it is safe for logs and headers, otherwise a new one. */
export function requestIdOf(request: Pick<IncomingMessage, 'headers'>): string {
  const clientId = request.headers['x-request-id'];
  return typeof clientId === 'string' && SAFE_ID.test(clientId) ? clientId : randomUUID();
}
