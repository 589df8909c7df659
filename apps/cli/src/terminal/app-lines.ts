import type { App } from '@homeport/api-client';

export function appLines({ id, name, subdomain, url, dns_status, dns_error, deploy_count }: App): string[] {
  return [
    `${name} (${subdomain})`,
    `Address:  ${url}`,
    `DNS:      ${dns_status.replace('dns-', '')}${dns_error ? `: ${dns_error.message}` : ''}`,
    `Deploys:  ${deploy_count}`,
    `Id:       ${id}`,
    ...(dns_error ? [`Retry with "homeport apps retry-dns ${subdomain}".`] : []),
  ];
}
