import { SiteHostnames } from '@homeport/hosting/contracts';

export interface HostnamePolicyOptions {
  /** The domain of all apps, such as `apps.example.com`. */
  readonly domain: string;
  /** The content-delivery host that every app's CNAME points to. */
  readonly cdnHostname: string;
  /** The zone in which DNS challenges are answered. */
  readonly challengeZone?: string | undefined;
  /** The local port of the edge server. */
  readonly edgePort: number;
  /** Its local port for https; undefined when own domains get no certificates. */
  readonly edgeTlsPort?: number | undefined;
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
    const { domain, cdnHostname, challengeZone } = options;
    this.reserved = [...options.reserved, ...labelBelow(domain, cdnHostname), ...labelBelow(domain, challengeZone)];
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

  /**
   * @returns the URL of a host; in development it names the port of the edge server. Browsers treat localhost as secure, so
   * that it needs no certificate.
   */
  urlOf(hostname: string): string {
    const { domain, edgePort, edgeTlsPort } = this.options;
    if (!domain.endsWith('.localhost')) return `https://${hostname}`;
    const isSecure = edgeTlsPort !== undefined && !hostname.endsWith('.localhost');
    return isSecure ? `https://${hostname}:${edgeTlsPort}` : `http://${hostname}:${edgePort}`;
  }
}

/** The label of a hostname of the product below the platform domain: the records of an app with it would shadow it. */
function labelBelow(domain: string, hostname = ''): string[] {
  if (!hostname.endsWith(`.${domain}`)) return [];
  return hostname
    .slice(0, -domain.length - 1)
    .split('.')
    .slice(-1);
}
