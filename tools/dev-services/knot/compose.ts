import { readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { startNameServer } from '../name-server/index.ts';
import type { NameServerOptions, NameServerPlan, RunningNameServer } from '../name-server/index.ts';
import { startDaemon } from '../system-programs.ts';
import { KNOT } from './programs.ts';

const SCRIPT = resolve(import.meta.dirname, '../../../deploy/knot/start.sh');

/** Runs the script of docker-compose.public.yml with its variables, on loopback and in a temporary folder. */
export function startComposeKnot(
  options: NameServerOptions & { readonly publicDomain: string },
): Promise<RunningNameServer> {
  return startNameServer(KNOT, options, (plan) => launch(plan, options.publicDomain));
}

async function launch({ folder, programs, port, domain, zoneFile, key }: NameServerPlan, publicDomain: string) {
  // The script writes the zone file.
  await rm(join(folder, zoneFile));
  const script = (await readFile(SCRIPT, 'utf8'))
    .replaceAll('0.0.0.0@5353', `127.0.0.1@${port}`)
    .replaceAll(/\/(?:rundir|storage)\b/g, folder);
  await writeFile(join(folder, 'start.sh'), script);
  return startDaemon('/bin/sh', ['start.sh'], folder, {
    PATH: `${programs.get('knotd') ?? ''}:/usr/bin:/bin`,
    APPS_DOMAIN: domain,
    PUBLIC_DOMAIN: publicDomain,
    RFC2136_KEY_SECRET: key.secret,
  });
}
