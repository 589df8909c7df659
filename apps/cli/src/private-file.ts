import { randomBytes } from 'node:crypto';
import { chmod, mkdir, open, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { CliError } from './cli.errors';

/** Permissions of the group and of others. */
const NOT_OWNER = 0o077;

/**
 * @returns the parsed content; undefined when the file does not exist.
 * @throws {CliError} when it is damaged, or other users may read or change it.
 */
export async function readPrivateJson(path: string): Promise<unknown> {
  const file = await open(path).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  });
  if (file === undefined) return undefined;
  try {
    // Windows has no such permissions.
    if (process.platform !== 'win32' && ((await file.stat()).mode & NOT_OWNER) !== 0) throw notPrivate(path);
    return JSON.parse(await file.readFile('utf8')) as unknown;
  } catch (error) {
    throw error instanceof SyntaxError ? damaged(path) : error;
  } finally {
    await file.close();
  }
}

export function damaged(path: string): CliError {
  return new CliError(`${path} is damaged.`, 'failed', 'Remove the file, then run "homeport login".');
}

function notPrivate(path: string): CliError {
  const nextStep = `Run "chmod 600 ${path}". If others may have read it, run "homeport logout", and sign in again.`;
  return new CliError(`Other users of this machine may read ${path}.`, 'unauthenticated', nextStep);
}

/** Replaces the file in one step, readable by its owner only. */
export async function writePrivateJson(path: string, value: unknown): Promise<void> {
  const temporary = `${path}.${randomBytes(6).toString('hex')}`;
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  try {
    await writeFile(temporary, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
    // The umask may have removed permissions of the owner.
    await chmod(temporary, 0o600);
    await rename(temporary, path);
  } finally {
    await rm(temporary, { force: true });
  }
}
