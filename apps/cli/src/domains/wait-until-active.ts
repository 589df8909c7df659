import { setTimeout } from 'node:timers/promises';
import { type Domain, operations } from '@homeport/api-client';
import { CliError, UsageError } from '../cli.errors';
import type { Context } from '../context';

/** The server asks name servers at most this often. */
const INTERVAL_MS = 5_000;
const MINUTE_MS = 60_000;

/**
 * Checks a domain until it is active.
 * @param minutes how long to wait at most.
 * @throws {CliError} when it is not active in time; repeating the command continues.
 */
export async function waitUntilActive(context: Context, id: string, minutes: number): Promise<Domain> {
  if (!(minutes > 0)) throw new UsageError('--timeout must be more than 0 minutes.');
  const { client } = await context.server();
  const { signal, terminal } = context;
  const endsAt = performance.now() + minutes * MINUTE_MS;
  for (;;) {
    const domain = await operations.checkDomain({ client, path: { id }, signal });
    if (domain.status === 'active') return domain;
    terminal.progress(`Waiting for ${domain.name}: ${progressOf(domain)}`);
    if (performance.now() + INTERVAL_MS > endsAt) throw notActive(domain);
    await setTimeout(INTERVAL_MS, undefined, { signal });
  }
}

function progressOf({ records, ownership, routing, certificate }: Domain): string {
  const found = records.filter(({ state }) => state === 'found').length;
  if (found < records.length) return `${found} of ${records.length} records found`;
  return ownership === 'verified' && routing === 'here' ? `certificate ${certificate}` : 'records found';
}

function notActive(domain: Domain): CliError {
  const nextStep = `Run "homeport domains show ${domain.name}" to see what is missing.`;
  return new CliError(`${domain.name} is not active yet: ${progressOf(domain)}.`, 'unavailable', nextStep);
}
