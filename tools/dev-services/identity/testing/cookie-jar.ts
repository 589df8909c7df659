interface Cookie {
  readonly origin: string;
  readonly path: string;
  readonly name: string;
  readonly value: string;
}

/** A browser's cookies, by origin (scheme, host and port) and path. */
export class CookieJar {
  #cookies: Cookie[] = [];

  /** Returns the `Cookie` header for `url`; empty without cookies. */
  header(url: string | URL): string {
    const { origin, pathname } = new URL(url);
    return this.#cookies
      .filter((cookie) => cookie.origin === origin && isWithin(pathname, cookie.path))
      .map(({ name, value }) => `${name}=${value}`)
      .join('; ');
  }

  /** Stores the `Set-Cookie` headers of the response from `url`. */
  store(url: string | URL, setCookies: readonly string[]): void {
    for (const line of setCookies) this.#storeOne(new URL(url), line);
  }

  #storeOne({ origin, pathname }: URL, line: string): void {
    const [pair = '', ...rest] = line.split(';');
    const attributes = new Map(rest.map(split).map(([key, content]) => [key.toLowerCase(), content]));
    const [name, value] = split(pair);
    const path = attributes.get('path') || defaultPath(pathname);
    this.#cookies = this.#cookies.filter(
      (known) => known.origin !== origin || known.path !== path || known.name !== name,
    );
    if (!isOver(attributes)) this.#cookies.push({ origin, path, name, value });
  }
}

function split(text: string): [name: string, value: string] {
  const equals = text.indexOf('=');
  return equals < 0 ? [text.trim(), ''] : [text.slice(0, equals).trim(), text.slice(equals + 1).trim()];
}

function isOver(attributes: ReadonlyMap<string, string>): boolean {
  const maxAge = attributes.get('max-age');
  if (maxAge !== undefined) return Number(maxAge) <= 0;
  const expires = attributes.get('expires');
  return expires !== undefined && Date.parse(expires) <= Date.now();
}

function isWithin(pathname: string, path: string): boolean {
  return pathname === path || pathname.startsWith(path.endsWith('/') ? path : `${path}/`);
}

function defaultPath(pathname: string): string {
  return pathname.slice(0, Math.max(1, pathname.lastIndexOf('/')));
}
