import type { App } from '@homeport/api-client';

export function appLines(app: App): string[] {
  const { id, name, subdomain, url, addresses, type, runtime, dns_status, dns_error, deploy_count } = app;
  return [
    `${name} (${subdomain})`,
    `Address:  ${url}`,
    ...addresses.filter((address) => address.url !== url).map((address) => `Also at:  ${address.url}`),
    `DNS:      ${dns_status.replace('dns-', '')}${dns_error ? `: ${dns_error.message}` : ''}`,
    `Type:     ${type}`,
    ...(runtime ? [`Runtime:  ${runtime.state}${runtime.reason === undefined ? '' : `: ${runtime.reason}`}`] : []),
    `Deploys:  ${deploy_count}`,
    `Id:       ${id}`,
    ...(dns_error ? [`Retry with "homeport apps retry-dns ${subdomain}".`] : []),
  ];
}
