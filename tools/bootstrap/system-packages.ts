import { access, constants } from 'node:fs/promises';
import { runCommand } from './commands.ts';
import type { CommandOptions } from './commands.ts';
import { step } from './progress.ts';

const APT = '/usr/bin/apt-get';

/** Installs Debian or Ubuntu packages. @returns false on other systems, without root, or for an unknown package. */
export async function installPackages(
  names: readonly string[],
  { env, signal }: Pick<CommandOptions, 'env' | 'signal'>,
): Promise<boolean> {
  if (process.platform !== 'linux' || process.getuid?.() !== 0 || !(await isProgram(APT))) return false;
  console.log(`Installing ${names.join(', ')} with apt-get …`);
  const options = { env: { ...env, DEBIAN_FRONTEND: 'noninteractive' }, signal };
  const install = ['install', '-y', '--no-install-recommends', ...names];
  await step('apt-get update', () => runCommand('apt-get', ['update'], options));
  const { ok } = await step(`apt-get install ${names.join(' ')}`, () => runCommand('apt-get', install, options));
  return ok;
}

export async function isProgram(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return true;
  } catch {
    // Missing, not executable, or in an inaccessible folder: it cannot be run.
    return false;
  }
}
