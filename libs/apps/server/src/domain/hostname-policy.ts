export interface HostnamePolicyOptions {
  /** The domain of all apps, such as `apps.example.com`. */
  readonly domain: string;
  /** The content-delivery host that every app's CNAME points to. */
  readonly cdnHostname: string;
  /** The local port of the edge server. */
  readonly edgePort: number;
  /** Reserved labels, in addition to the five that are always reserved. */
  readonly reserved: readonly string[];
}

/** The rules for hostnames: how apps and previews are named below the platform domain, and which labels are reserved. */
export class HostnamePolicy {
  readonly cdnHostname: string;
  readonly reserved: readonly string[];

  constructor(private readonly options: HostnamePolicyOptions) {
    this.cdnHostname = options.cdnHostname;
    this.reserved = [...options.reserved, ...cdnLabel(options)];
  }

  hostnameOf(subdomain: string): string {
    return `${subdomain}.${this.options.domain}`;
  }

  /** The label of a hostname directly below the domain; undefined for any other hostname. */
  labelOf(hostname: string): string | undefined {
    const suffix = `.${this.options.domain}`;
    const label = hostname.endsWith(suffix) ? hostname.slice(0, -suffix.length) : '';
    return label === '' || label.includes('.') ? undefined : label;
  }

  /** @returns the URL of a host; in development it names the port of the edge server. */
  urlOf(hostname: string): string {
    const isLocal = hostname.endsWith('.localhost');
    return isLocal ? `http://${hostname}:${this.options.edgePort}` : `https://${hostname}`;
  }
}

/** The label of a CDN hostname below the platform domain, which is reserved: an app with it would shadow the CDN. */
function cdnLabel({ domain, cdnHostname }: HostnamePolicyOptions): string[] {
  if (!cdnHostname.endsWith(`.${domain}`)) return [];
  return cdnHostname
    .slice(0, -domain.length - 1)
    .split('.')
    .slice(-1);
}
