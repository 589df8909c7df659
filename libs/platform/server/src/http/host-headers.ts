import type { IncomingMessage } from 'node:http';

/** Whether a request names its host more than once (RFC 9112, section 3.2): a proxy may have read the other one. */
export function hasMultipleHostHeaders({ rawHeaders }: Pick<IncomingMessage, 'rawHeaders'>): boolean {
  let hosts = 0;
  // Names and values of raw headers take turns.
  for (let index = 0; index < rawHeaders.length; index += 2) {
    if (rawHeaders[index]?.length === 4 && rawHeaders[index]?.toLowerCase() === 'host') hosts += 1;
  }
  return hosts > 1;
}
