import type { ManagementPorts } from '../dev-services/homeport.ts';
import type { DevelopmentUser } from '../dev-services/services.ts';

export interface StartupFacts {
  url: string;
  platformDomain: string;
  edgePort: number;
  /** Undefined without certificates. */
  tlsPort?: number | undefined;
  dnsPort: number | undefined;
  /** Undefined when nothing is measured. */
  managementPorts?: ManagementPorts | undefined;
  people: readonly DevelopmentUser[];
  logs: string;
}

/** Returns the text that is printed after the start: addresses, people and how to stop. */
export function startupBanner(facts: StartupFacts): string {
  const { url, platformDomain, edgePort, tlsPort, dnsPort, managementPorts: management, people, logs } = facts;
  const dns = dnsPort && `  DNS        dig @127.0.0.1 -p ${dnsPort} <subdomain>.${platformDomain} CNAME`;
  const lines = [
    '',
    `Homeport runs at ${url}`,
    `  API        ${url}/api, its documentation ${url}/docs`,
    `  Apps       http://<subdomain>.${platformDomain}:${edgePort}`,
    ...(tlsPort
      ? [`  by https   https://<subdomain>.${platformDomain}:${tlsPort}, once browsers trust it: npm run trust`]
      : []),
    ...(dns ? [dns] : []),
    ...(management
      ? [
          `  Metrics    http://127.0.0.1:${management.api}/metrics, of the edge ${management.edge}, the runtime ${management.runtime}`,
        ]
      : []),
    `  Logs       ${logs}`,
    ...(people.length ? ['', 'Who can sign in (no password):', ...people.map(describe)] : []),
    '',
    'Ctrl-C stops everything. Data stays in the data folder; "npm run reset" removes it.',
  ];
  return lines.join('\n');
}

function describe({ name, email, provider, organization }: DevelopmentUser): string {
  return `  ${name.padEnd(14)} ${email.padEnd(26)} with ${provider.padEnd(10)} ${organization ?? 'no organization'}`;
}
