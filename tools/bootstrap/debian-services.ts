import { BIND } from '../dev-services/bind/programs.ts';
import { CEPH } from '../dev-services/ceph/programs.ts';
import { SetupFailed } from '../dev-services/errors.ts';
import { KNOT } from '../dev-services/knot/programs.ts';
import { HAPROXY, NGINX } from '../dev-services/proxies/programs.ts';
import { findPrograms } from '../dev-services/system-programs.ts';
import type { SystemPrograms } from '../dev-services/system-programs.ts';
import type { CommandOptions } from './commands.ts';
import { installPackages } from './system-packages.ts';

/** What tests run on as well, because software that is not ours shows what ours only believes. */
const SERVICES: readonly { programs: SystemPrograms; without: string }[] = [
  { programs: CEPH, without: 'the file tests run on the embedded S3 server only' },
  { programs: BIND, without: 'the tests of DNS updates leave BIND out' },
  { programs: KNOT, without: 'the tests of DNS updates leave Knot out' },
  { programs: HAPROXY, without: 'no rolling restart is tested behind HAProxy' },
  { programs: NGINX, without: 'the tests of rolling restarts and shared caches leave nginx out' },
];

/**
 * Says which tests will be left out. On a CI machine what is missing is installed, and its absence is a failure; a
 * developer's machine is left as it is.
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
