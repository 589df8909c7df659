import type { IncomingMessage } from 'node:http';

/** A host with an optional port (RFC 3986, section 3.2). It may be empty. */
const HOST = /^(\[[0-9a-f:.]+\]|[\w.~%!$&'()*+,;=-]*)(:\d*)?$/i;

/** Whether a request has several Host headers (RFC 9112, section 3.2). A proxy may have used another one of them. */
export function hasMultipleHostHeaders({ rawHeaders }: Pick<IncomingMessage, 'rawHeaders'>): boolean {
  let hosts = 0;
  // Raw headers alternate names and values.
  for (let index = 0; index < rawHeaders.length; index += 2) {
    if (rawHeaders[index]?.length === 4 && rawHeaders[index]?.toLowerCase() === 'host') hosts += 1;
  }
  return hosts > 1;
}

/** Whether the Host header has the syntax of a host. HTTP/1.1 requests must have one (RFC 9112, section 3.2). */
export function isHostValid({ headers, httpVersion }: Pick<IncomingMessage, 'headers' | 'httpVersion'>): boolean {
  return headers.host === undefined ? httpVersion !== '1.1' : HOST.test(headers.host);
}
