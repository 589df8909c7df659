import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** A client's own id is kept when it cannot harm a log or a header; otherwise the request gets a fresh one. */
export function requestIdOf(request: Pick<IncomingMessage, 'headers'>): string {
  const offered = request.headers['x-request-id'];
  return typeof offered === 'string' && /^[A-Za-z0-9._-]{1,64}$/.test(offered) ? offered : randomUUID();
}
