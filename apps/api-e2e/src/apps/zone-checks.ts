import type { Route53Double } from '@homeport/apps/server/testing/route53/route53-double';
import { suiteSize } from '../suites';

export interface ZoneEntry {
  readonly hostname: string;
  readonly target: string;
}

/** Reads all records of a zone below its apex; the target of a record that is no CNAME is its type. */
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

/**
 * A job runs at least once a minute and finds leases of 30 seconds that a killed process left; the rest is a margin.
 */
const SETTLE_TIMEOUT_MS = suiteSize(150_000, 180_000);
const POLL_MS = 200;

/** Repeats a check until it finds no violation, or the time limit passes. @returns the remaining violations. */
export async function remainingViolations(
  findViolations: () => Promise<readonly string[]>,
  limitMs = SETTLE_TIMEOUT_MS,
): Promise<readonly string[]> {
  const end = performance.now() + limitMs;
  for (;;) {
    const found = await findViolations();
    if (found.length === 0 || performance.now() > end) return found;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

/** Compares apps and zone: every listed app must be active with one CNAME, and there must be no other records. */
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
