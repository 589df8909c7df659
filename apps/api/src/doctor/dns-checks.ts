import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { DnsDomainResolver, type DnsZone, type DomainResolver } from '@homeport/apps/server';
import { dnsZonesFor } from '../apps-options';
import { causeCodeOf } from '@homeport/platform/server/observability';
import type { Config } from '../config';
import { type Check, type Finding, fault, ok, warning } from './check';
import { explainDns, explainDnsChange } from './dns-failures';

const TTL_SECONDS = 60;
const POLL_MS = 500;
/** The name servers of a zone fetch changes from each other. */
const VISIBLE_WITHIN_MS = 20_000;
const CHECK_LIMIT_MS = 45_000;
const CLEAN_UP_LIMIT_MS = 10_000;
const DNS_PORT = 53;

/** Asks the resolvers of the installation, and name servers at any address: the zones are the operator's. */
export function domainResolver({ DOMAIN_RESOLVERS: resolvers }: Pick<Config, 'DOMAIN_RESOLVERS'>): DomainResolver {
  return new DnsDomainResolver({ resolvers, serverAt: (host) => ({ host, port: DNS_PORT }) });
}

export function dnsChecks(config: Config): readonly Check[] {
  const { dnsZone } = dnsZonesFor(config);
  const explain = (code: string) => explainDns(code, config);
  const resolver = domainResolver(config);
  const needs = ['dns'];
  return [
    {
      name: 'dns',
      explain,
      run: async (signal) => {
        await dnsZone.ready(signal);
        return ok(`The zone of ${config.PLATFORM_DOMAIN} can be read (DNS_PROVIDER=${config.DNS_PROVIDER}).`);
      },
    },
    {
      name: 'dns-records',
      needs,
      limitMs: CHECK_LIMIT_MS,
      explain: (code) => explainDnsChange(code, `CNAME records below ${config.PLATFORM_DOMAIN}`, config),
      run: (signal) => checkRecords(config, dnsZone, signal),
    },
    {
      name: 'dns-listing',
      needs,
      // Knot answers BADKEY to a key that may not transfer the zone.
      explain: (code) => ({
        ...explain(code),
        ...(['REFUSED', 'BADKEY', 'NOTAUTH'].includes(code) && transferRefused(config, code)),
      }),
      run: async (signal) => {
        // The first record proves the permission; a zone can have thousands.
        for await (const record of dnsZone.records(signal)) {
          if (record.hostname) break;
        }
        return ok('The records of the zone can be listed.');
      },
    },
    { name: 'cdn-hostname', explain, run: () => checkAddress(resolver, config.CDN_HOSTNAME, cdnRemedy(config)) },
    {
      name: 'preview-wildcard',
      explain,
      run: () => checkAddress(resolver, probeName(config), previewRemedy(config)),
    },
  ];
}

/** Not the name of any app: the third and fourth characters of an app's subdomain are not both hyphens. */
function probeName({ PLATFORM_DOMAIN }: Pick<Config, 'PLATFORM_DOMAIN'>): string {
  return `dr--${randomBytes(8).toString('hex')}.${PLATFORM_DOMAIN}`;
}

/** Creates a record as for an app, looks it up on the name servers, and removes it. */
async function checkRecords(config: Config, zone: DnsZone, signal: AbortSignal): Promise<Finding> {
  const hostname = probeName(config);
  const cname = { target: config.CDN_HOSTNAME, ttl: TTL_SECONDS };
  try {
    const { id } = await zone.change([{ hostname, after: cname }], signal);
    const denied = id === undefined ? undefined : await waitUntilInSync(zone, id, signal);
    if (denied) return denied;
    if ((await zone.find(hostname, signal))?.cname?.target !== cname.target) {
      return fault('The provider accepted a record and does not have it.', 'Check the log of the name server.');
    }
    return await checkNameServers(config, hostname, signal);
  } finally {
    await removeRecord(zone, { hostname, before: cname });
  }
}

/** @returns a fault when this process may not ask: Route 53 has a separate permission for it. */
async function waitUntilInSync(zone: DnsZone, id: string, signal: AbortSignal): Promise<Finding | undefined> {
  try {
    while (!(await zone.isInSync(id, signal))) await pause(POLL_MS, undefined, { signal });
    return undefined;
  } catch (error) {
    if (causeCodeOf(error) !== 'AccessDenied') throw error;
    const detail = 'The credentials of this process may not read the state of a change (AccessDenied).';
    return fault(detail, 'Grant route53:GetChange.');
  }
}

/** Removes the record if it was created: an unanswered change may have been executed. */
async function removeRecord(zone: DnsZone, change: Parameters<DnsZone['change']>[0][number]): Promise<void> {
  // The API removes a record that remains: it belongs to no app.
  await zone.change([change], AbortSignal.timeout(CLEAN_UP_LIMIT_MS)).catch(() => undefined);
}

async function checkNameServers(config: Config, hostname: string, signal: AbortSignal): Promise<Finding> {
  const done = 'A probe record was created, read and removed';
  if (isLocal(config)) return ok(`${done}. No server is asked for names below localhost.`);
  const resolver = domainResolver(config);
  const end = performance.now() + VISIBLE_WITHIN_MS;
  for (;;) {
    const answers = await resolver.askAll(hostname, 'CNAME');
    const missing = answers.filter(({ values }) => !values.includes(config.CDN_HOSTNAME)).map(({ server }) => server);
    if (answers.length > 0 && missing.length === 0) {
      return ok(`${done}; ${answers.map(({ server }) => server).join(', ')} returned it.`);
    }
    if (performance.now() < end && answers.length > 0) {
      await pause(POLL_MS, undefined, { signal });
      continue;
    }
    if (answers.length === 0) return undelegated(config);
    return warning(
      `${done}, and ${missing.join(', ')} did not return it within ${VISIBLE_WITHIN_MS / 1_000} s.`,
      'Check that these servers get the changes of the zone (zone transfers, NOTIFY), or remove them from its NS records.',
    );
  }
}

/** Names below localhost, and resolvers that do not know the domain. */
function isLocal({ PLATFORM_DOMAIN, DOMAIN_RESOLVERS }: Config): boolean {
  return PLATFORM_DOMAIN.endsWith('.localhost') && DOMAIN_RESOLVERS.length === 0;
}

function undelegated({ PLATFORM_DOMAIN }: Config): Finding {
  return fault(
    `No name server of ${PLATFORM_DOMAIN} can be found.`,
    `Delegate the zone: create NS records for ${PLATFORM_DOMAIN} in its parent zone. When resolvers of this network know it and those of this machine do not, set DOMAIN_RESOLVERS to them.`,
  );
}

function transferRefused({ DNS_PROVIDER, RFC2136_KEY_NAME }: Config, code: string) {
  if (DNS_PROVIDER !== 'rfc2136') return {};
  return {
    detail: `The key ${RFC2136_KEY_NAME} may not transfer the zone (${code}).`,
    remedy: 'Allow the transfer to the key: allow-transfer of BIND, or an acl with the action transfer of Knot.',
  };
}

async function checkAddress(resolver: DomainResolver, name: string, remedy: string): Promise<Finding> {
  const { outcome, values } = await resolver.addressesOf(name);
  if (outcome === 'found') return ok(`${name} resolves to ${values.join(', ')}.`);
  if (outcome === 'absent') return fault(`${name} does not resolve.`, remedy);
  return fault(
    `No name server tells whether ${name} resolves.`,
    'Check the resolvers of this machine, or DOMAIN_RESOLVERS.',
  );
}

function cdnRemedy({ CDN_HOSTNAME }: Config): string {
  return `Correct CDN_HOSTNAME, or create an A or AAAA record of ${CDN_HOSTNAME} with the address of the edges.`;
}

function previewRemedy({ PLATFORM_DOMAIN, CDN_HOSTNAME }: Config): string {
  return `Create the record of the preview addresses: *.${PLATFORM_DOMAIN} CNAME ${CDN_HOSTNAME}.`;
}
