import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** Not an access token of Homeport, which must not be logged. */
const ADOPTED_ID = /^(?!hp_[A-Za-z0-9]{40})[A-Za-z0-9._-]{1,64}$/;

/** @returns the id from the `X-Request-Id` header if it is safe for logs and headers, otherwise a new one. */
export function requestIdOf(request: Pick<IncomingMessage, 'headers'>): string {
  const clientId = request.headers['x-request-id'];
  return typeof clientId === 'string' && ADOPTED_ID.test(clientId) ? clientId : randomUUID();
}
