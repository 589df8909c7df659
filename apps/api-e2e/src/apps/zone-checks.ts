import { type Route53Double } from '@homeport/apps/server/testing';
import { suiteSize } from '../suites';

export interface ZoneEntry {
  readonly hostname: string;
  readonly target: string;
}

/** All that stands in a zone below its apex, CNAMEs with their targets. */
export type ReadZone = () => Promise<readonly ZoneEntry[]>;

export function embeddedZone(controlUrl: string, token: string): ReadZone {
  return async () => {
    const response = await fetch(`${controlUrl}/records`, { headers: { authorization: `Bearer ${token}` } });
    const records = (await response.json()) as { name: string; value: string }[];
    return records.map(({ name, value }) => ({ hostname: name, target: value }));
  };
}

export function route53Zone(double: Route53Double): ReadZone {
  return async () =>
    double.records
      .filter(({ Type }) => Type !== 'NS' && Type !== 'SOA')
      .map(({ Name = '', Type, ResourceRecords: [first] = [] }) => ({
        hostname: Name.replace(/\.$/, ''),
        target: Type === 'CNAME' ? (first?.Value ?? '').replace(/\.$/, '') : `${Type}`,
      }));
}

/** A job comes every minute at the latest, and finds claims of 30 seconds that a killed process left; as much again. */
const SETTLE_TIMEOUT_MS = suiteSize(150_000, 180_000);
const POLL_MS = 200;

/** Asks what is wrong until nothing is, or until nobody can wait for it any longer. @returns what was wrong at last. */
export async function remainingViolations(
  problems: () => Promise<readonly string[]>,
  limitMs = SETTLE_TIMEOUT_MS,
): Promise<readonly string[]> {
  const end = performance.now() + limitMs;
  for (;;) {
    const found = await problems();
    if (found.length === 0 || performance.now() > end) return found;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

/** Where apps and zone disagree: what is listed should be active with one CNAME, and there should be nothing else. */
export function zoneMismatches(
  apps: readonly { readonly hostname: string; readonly dns_status: string }[],
  entries: readonly ZoneEntry[],
  target: string,
): string[] {
  const wanted = new Set(apps.map(({ hostname }) => hostname));
  const found = Map.groupBy(entries, ({ hostname }) => hostname);
  return [
    ...apps.flatMap(({ hostname, dns_status }) => (dns_status === 'dns-active' ? [] : [`${hostname}: ${dns_status}`])),
    ...[...wanted].flatMap((hostname) => {
      const targets = (found.get(hostname) ?? []).map((entry) => entry.target);
      return targets.length === 1 && targets[0] === target ? [] : [`${hostname} has the records [${targets.join()}]`];
    }),
    ...[...found.keys()].flatMap((hostname) => (wanted.has(hostname) ? [] : [`${hostname} has a record and no app`])),
  ];
}
