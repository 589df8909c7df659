import { CEPH_PACKAGES, hasCeph } from '../dev-services/ceph/programs.ts';
import type { CommandOptions } from './commands.ts';
import { SetupFailed } from '../dev-services/errors.ts';
import { installPackages } from './system-packages.ts';

/**
 * Says whether the file tests will run on Ceph too. On a CI machine it is installed when it is missing; a developer's
 * machine is left as it is.
 */
export async function ensureCeph(options: Pick<CommandOptions, 'env' | 'signal'>): Promise<void> {
  const path = options.env['PATH'] ?? '';
  if (await hasCeph(path)) return;
  if (options.env['CI'] && (await installPackages(CEPH_PACKAGES, options)) && (await hasCeph(path))) return;
  if (options.env['CI']) throw new SetupFailed('CI tests the files on Ceph too, and Ceph could not be installed.');
  console.log(
    `Without Ceph the file tests run on the embedded S3 server only. (apt-get install ${CEPH_PACKAGES.join(' ')})`,
  );
}
