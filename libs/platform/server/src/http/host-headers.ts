import type { IncomingMessage } from 'node:http';

/** Whether a request has several Host headers (RFC 9112, section 3.2). A proxy may have used another one of them. */
export function hasMultipleHostHeaders({ rawHeaders }: Pick<IncomingMessage, 'rawHeaders'>): boolean {
  let hosts = 0;
  // Raw headers alternate names and values.
  for (let index = 0; index < rawHeaders.length; index += 2) {
    if (rawHeaders[index]?.length === 4 && rawHeaders[index]?.toLowerCase() === 'host') hosts += 1;
  }
  return hosts > 1;
}
