import { setTimeout as delay } from 'node:timers/promises';
import type { DnsLease } from './dns-ledger.port';

/** How long a request waits for other work on the same record. */
const LEASE_ATTEMPTS = 30;
const LEASE_RETRY_MS = 100;

/** @returns undefined when other work holds the lease for too long. */
export async function waitForLease(acquire: () => Promise<DnsLease | undefined>): Promise<DnsLease | undefined> {
  for (let tries = 1; tries <= LEASE_ATTEMPTS; tries += 1) {
    const lease = await acquire();
    if (lease) return lease;
    await delay(LEASE_RETRY_MS);
  }
  return undefined;
}
