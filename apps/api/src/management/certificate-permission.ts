import { type PostgresSiteDirectory, parseHost } from '@homeport/hosting/server';
import type { SiteHostnames } from '@homeport/hosting/contracts';
import type { ManagementRoute } from '@homeport/platform/server/management';

export interface CertificatePermissionOptions {
  readonly sites: Pick<PostgresSiteDirectory, 'findSite'>;
  readonly hostnames: SiteHostnames;
}

/**
 * Tells a proxy that terminates TLS in front of the edge whether it may order a certificate for a host: for the hosts
 * of sites alone, because anyone can ask the proxy for any name.
 */
export function certificatePermission({ sites, hostnames }: CertificatePermissionOptions): ManagementRoute {
  return async (query) => {
    const [domain, ...others] = query.getAll('domain');
    if (domain === undefined || others.length > 0)
      return { status: 400, text: 'Name one domain: /internal/tls/ask?domain=www.example.com' };
    const host = parseHost(domain, hostnames);
    const site = host?.kind === 'site' ? await sites.findSite(host.hostname) : undefined;
    const isServed = site !== undefined && site.kind !== 'released';
    return isServed ? { status: 200, text: 'This host has a site.' } : { status: 404, text: 'This host has no site.' };
  };
}
