import { BIND } from '../dev-services/bind/programs.ts';
import { BUBBLEWRAP } from '../dev-services/bubblewrap/programs.ts';
import { CEPH } from '../dev-services/ceph/programs.ts';
import { DEBIAN_POSTGRES } from '../dev-services/debian-postgres/programs.ts';
import { GVISOR } from '../dev-services/gvisor/programs.ts';
import { SetupFailed } from '../dev-services/errors.ts';
import { KNOT } from '../dev-services/knot/programs.ts';
import { CERTUTIL } from '../dev-services/nss/programs.ts';
import { PEBBLE } from '../dev-services/pebble/programs.ts';
import { PGBOUNCER } from '../dev-services/pgbouncer/programs.ts';
import { PROMETHEUS } from '../dev-services/prometheus/programs.ts';
import { CADDY, HAPROXY, NGINX } from '../dev-services/proxies/programs.ts';
import { SYSTEMD } from '../dev-services/systemd/programs.ts';
import { TESTSSL } from '../dev-services/testssl/programs.ts';
import { findPrograms } from '../dev-services/system-programs.ts';
import type { SystemPrograms } from '../dev-services/system-programs.ts';
import type { CommandOptions } from './commands.ts';
import { installPackages } from './system-packages.ts';

/** Third-party services for the tests: they reveal wrong assumptions of the embedded ones. */
const SERVICES: readonly { programs: SystemPrograms; without: string }[] = [
  { programs: CEPH, without: 'the file tests run on the embedded S3 server only' },
  { programs: BIND, without: 'the DNS update tests skip BIND' },
  { programs: KNOT, without: 'the DNS update tests skip Knot' },
  { programs: PEBBLE, without: 'orders of certificates are not tested' },
  { programs: HAPROXY, without: 'rolling restarts behind HAProxy are not tested' },
  { programs: CADDY, without: 'https by Caddy in front of the edge is not tested' },
  { programs: PROMETHEUS, without: 'alert rules and metrics are not tested' },
  { programs: CERTUTIL, without: 'own domains are not opened by https in a browser' },
  { programs: TESTSSL, without: 'the full suite does not examine TLS at the edge' },
  { programs: BUBBLEWRAP, without: 'the walls of the sandbox of SSR apps are not tested' },
  { programs: GVISOR, without: 'the walls of SSR apps on gVisor are not tested' },
  { programs: DEBIAN_POSTGRES, without: 'the guide for Debian is not tested' },
  { programs: PGBOUNCER, without: 'a pooler in front of PostgreSQL is not tested' },
  { programs: SYSTEMD, without: 'the units of systemd are not checked' },
  { programs: NGINX, without: 'the tests of rolling restarts and shared caches skip nginx' },
];

/**
 * Reports which tests are skipped because a service is missing. In CI, installs missing services and fails when it
 * cannot; installs nothing on a developer's machine.
 */
export async function ensureDebianServices(options: Pick<CommandOptions, 'env' | 'signal'>): Promise<void> {
  const missing = await missingOf(options);
  if (missing.length === 0) return;
  if (!options.env['CI']) {
    for (const { programs, without } of missing) {
      console.log(`Without ${programs.title} ${without}. (apt-get install ${programs.packages.join(' ')})`);
    }
    return;
  }
  const packages = missing.flatMap(({ programs }) => programs.packages);
  const isInstalled = await installPackages(packages, options);
  const left = isInstalled ? await missingOf(options) : missing;
  if (left.length === 0) return;
  const titles = left.map(({ programs }) => programs.title).join(', ');
  throw new SetupFailed(`CI runs tests on ${titles} too, and that could not be installed.`);
}

async function missingOf({ env }: Pick<CommandOptions, 'env'>): Promise<typeof SERVICES> {
  const found = await Promise.all(SERVICES.map(({ programs }) => findPrograms(programs, env['PATH'] ?? '')));
  return SERVICES.filter((_, at) => found[at] === undefined);
}
