import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chown, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeDurably } from '../durable-file.ts';
import { hasCode, SetupFailed } from '../errors.ts';
import type { DataLocation } from './data-location.ts';
import type { PostgresBinaries } from './binaries.ts';

export const SUPERUSER = 'homeport';

export interface Cluster {
  data: string;
  password: string;
}

/** Opens the database files, initialising them on first use. */
export async function openCluster(home: DataLocation, native: PostgresBinaries): Promise<Cluster> {
  const data = join(home.folder, 'data');
  const password = await openPassword(home.folder);
  const present = await readMajor(data);
  if (present === undefined) await initialise({ home, native, data, password });
  else if (present !== native.major) throw otherMajor(data, present, native.major);
  return { data, password };
}

function otherMajor(data: string, present: string, ours: string): SetupFailed {
  return new SetupFailed(
    `The data in ${data} was created by PostgreSQL ${present}, but this Homeport contains PostgreSQL ${ours}. ` +
      'Start fresh with "npm run reset", or choose another DATA_DIR.',
  );
}

/** Returns undefined when there is no database yet: a data folder gets its final name only once it is complete. */
async function readMajor(data: string): Promise<string | undefined> {
  try {
    return (await readFile(join(data, 'PG_VERSION'), 'utf8')).trim();
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw error;
  }
  const damaged = await stat(data).then(
    () => true,
    () => false,
  );
  if (!damaged) return undefined;
  throw new SetupFailed(`${data} exists but holds no PostgreSQL data. Start fresh with "npm run reset".`);
}

async function openPassword(folder: string): Promise<string> {
  const path = join(folder, 'password');
  try {
    return (await readFile(path, 'utf8')).trim();
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw error;
  }
  const password = randomBytes(24).toString('base64url');
  await writeDurably(path, `${password}\n`);
  return password;
}

/** Initialises under a temporary name, so that an interrupted initialisation is never mistaken for data. */
async function initialise(options: {
  home: DataLocation;
  native: PostgresBinaries;
  data: string;
  password: string;
}): Promise<void> {
  const { home, native, data, password } = options;
  const partial = `${data}.partial`;
  const passwordFile = join(home.folder, 'password.initdb');
  await rm(partial, { recursive: true, force: true });
  await makeFolderFor(partial, home);
  await rm(passwordFile, { force: true });
  await writeFile(passwordFile, `${password}\n`, { mode: 0o600 });
  if (home.account) await chown(passwordFile, home.account.uid, home.account.gid);
  try {
    await runInitdb(
      native.initdb,
      [
        ...['-D', partial, '--username', SUPERUSER, '--pwfile', passwordFile, '--auth', 'scram-sha-256'],
        ...['--encoding', 'UTF8', '--locale', 'C', '--locale-provider', 'builtin', '--builtin-locale', 'C.UTF-8'],
      ],
      home,
    );
    await rename(partial, data);
  } finally {
    await rm(passwordFile, { force: true });
    await rm(partial, { recursive: true, force: true });
  }
}

/** Creates the empty folder for initdb, because the account cannot create one in a folder owned by root. */
async function makeFolderFor(path: string, home: DataLocation): Promise<void> {
  await mkdir(path, { mode: 0o700 });
  if (home.account) await chown(path, home.account.uid, home.account.gid);
}

function runInitdb(program: string, args: string[], home: DataLocation): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      ...home.account,
      cwd: home.folder,
      env: { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' },
      stdio: ['ignore', 'pipe', 'pipe'],
      windowsHide: true,
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)));
    child.once('error', (error) => reject(cannotRun(program, error)));
    child.once('close', (code) => (code === 0 ? resolve() : reject(initFailed(output))));
  });
}

function initFailed(output: string): Error {
  if (/No space left on device/i.test(output)) {
    return new SetupFailed(
      'The disk is full: PostgreSQL needs about 60 MB for a new database. Free some space and try again.',
    );
  }
  return new SetupFailed(`PostgreSQL could not initialise its data:\n${output.trim()}`);
}

/** ENOENT for an existing file means that its loader is missing: a system with another C library. */
export function cannotRun(program: string, error: Error): Error {
  if (hasCode(error, 'ENOENT')) {
    return new SetupFailed(
      `This system cannot run the embedded PostgreSQL (${program}); it needs glibc. Set DATABASE_URL instead.`,
    );
  }
  if (hasCode(error, 'EPERM', 'EINVAL')) {
    return new SetupFailed(
      'PostgreSQL refuses to run as root, and this system does not let root become another user. ' +
        'Run Homeport as an ordinary user, or set DATABASE_URL.',
    );
  }
  return error;
}
