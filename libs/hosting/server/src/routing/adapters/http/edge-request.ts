import type { IncomingMessage } from 'node:http';

/** For a request body that nothing reads. */
const MAX_BODY_MS = 30_000;

/** Static files need no body: a connection that sends one slowly is closed. */
export function limitBodyTime(request: IncomingMessage): void {
  const timer = setTimeout(() => {
    if (!request.complete) request.socket.destroy();
  }, MAX_BODY_MS);
  request.once('close', () => clearTimeout(timer));
}

/** The key is unambiguous: a host has no slash, and a path begins with one. */
export function preparedKeyOf(host: string | undefined, url: string): string {
  const query = url.indexOf('?');
  return host + (query < 0 ? url : url.slice(0, query));
}

/** Load balancers check health with HTTP/1.0 and no `Host`, which HTTP/1.1 does not allow. */
export function isWithoutHost({ httpVersion, headers }: IncomingMessage): boolean {
  return httpVersion === '1.0' && headers.host === undefined;
}

/** An absolute target overrides `Host` (RFC 9112, section 3.2.2). The server rejects several `Host` fields. */
export function effectiveTarget(request: IncomingMessage): { host: string | undefined; target: string } {
  const { url = '', headers } = request;
  const [, authority, rest = ''] = /^https?:\/\/([^/?#]*)(.*)$/i.exec(url) ?? [];
  if (authority !== undefined) return { host: authority, target: rest.startsWith('/') ? rest : `/${rest}` };
  return { host: headers.host, target: url };
}
