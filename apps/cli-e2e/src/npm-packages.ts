import { execFile } from 'node:child_process';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { PACKAGES } from './command-line';

const run = promisify(execFile);

/** npm without a registry, with a cache and global packages below `folder`. */
export function offlineNpm(folder: string): Record<string, string> {
  return {
    npm_config_loglevel: 'notice',
    npm_config_offline: 'true',
    npm_config_cache: join(folder, 'npm-cache'),
    npm_config_prefix: join(folder, 'npm-global'),
    npm_config_audit: 'false',
    npm_config_fund: 'false',
    npm_config_update_notifier: 'false',
  };
}

/** Packs a built package into `folder`. @returns the path of the tarball. */
export async function pack(name: 'cli' | 'api-client', folder: string): Promise<string> {
  const { stdout } = await run('npm', ['pack', '--silent', '--pack-destination', folder, join(PACKAGES, name)]);
  return join(folder, stdout.trim());
}

/** Installs a tarball below `folder`, without a registry. @returns the folder of the package. */
export async function installTarball(tarball: string, folder: string): Promise<string> {
  const env = { ...process.env, ...offlineNpm(folder) };
  const { stdout } = await run('npm', ['install', '--prefix', folder, '--json', tarball], { env });
  const { added } = JSON.parse(stdout) as { added: number };
  if (added !== 1) throw new Error(`${tarball} installed ${added} packages.`);
  const name = /^homeport-([a-z-]+)-\d/.exec(basename(tarball))?.[1] ?? '';
  return join(folder, 'node_modules/@homeport', name);
}

/** The oldest Node.js that the packages support, from the registry. @returns the path of the program. */
export async function installNode20(folder: string): Promise<string> {
  const name = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
  await run('npm', ['install', '--prefix', folder, '--no-save', '--force', `${name}@20.19.0`]);
  return join(folder, 'node_modules', name, 'bin/node');
}
