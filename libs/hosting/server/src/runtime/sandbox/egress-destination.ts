/** A host and port outside; the hostname of an IPv6 address without brackets. */
export interface Destination {
  readonly hostname: string;
  readonly port: number;
}

const HTTP_PORT = 80;

/** The destination of a CONNECT request. @returns undefined for anything but `host:port`. */
export function destinationOfTunnel(authority: string): Destination | undefined {
  const [, hostname, port] = /^(\[[0-9a-fA-F:.]+\]|[^:/?#@[\]\s]+):(\d{1,5})$/.exec(authority) ?? [];
  return hostname === undefined ? undefined : destination(hostname, Number(port));
}

/** The destination of a request in absolute form. @returns undefined for anything but an `http:` URL. */
export function destinationOfUrl(text: string): (Destination & { readonly url: URL }) | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  const found = url.protocol === 'http:' ? destination(url.hostname, Number(url.port || HTTP_PORT)) : undefined;
  return found && { ...found, url };
}

function destination(hostname: string, port: number): Destination | undefined {
  if (port < 1 || port > 65_535) return undefined;
  return { hostname: hostname.replace(/^\[(.*)\]$/, '$1'), port };
}
