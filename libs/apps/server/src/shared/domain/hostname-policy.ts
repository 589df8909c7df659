import { SiteHostnames } from '@homeport/hosting/contracts';

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
  readonly #sites: SiteHostnames;

  constructor(private readonly options: HostnamePolicyOptions) {
    this.#sites = new SiteHostnames(options.domain);
    this.cdnHostname = options.cdnHostname;
    this.reserved = [...options.reserved, ...cdnLabel(options)];
  }

  /** The domain of all apps. */
  get domain(): string {
    return this.options.domain;
  }

  hostnameOf(subdomain: string): string {
    return this.#sites.hostnameOf(subdomain);
  }

  /** The label of a hostname directly below the domain; undefined for any other hostname. */
  labelOf(hostname: string): string | undefined {
    return this.#sites.labelOf(hostname);
  }

  /** @returns the URL of a host; in development it names the port of the edge server. */
  urlOf(hostname: string): string {
    const isLocal = this.domain.endsWith('.localhost');
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
