import { open, readFile, rm, stat } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';

const POLL_MS = 20;
/** Longer than the work under any lock; the number of an ended process may belong to another one. */
const MAX_AGE_MS = 60_000;

/** Runs `work` while no other command runs work with the same lock file. The lock of a killed command is released. */
export async function withFileLock<T>(path: string, work: () => Promise<T>): Promise<T> {
  while (!(await acquire(path))) {
    if (!(await removeAbandoned(path))) await setTimeout(POLL_MS);
  }
  try {
    return await work();
  } finally {
    await rm(path, { force: true });
  }
}

async function acquire(path: string): Promise<boolean> {
  try {
    const file = await open(path, 'wx', 0o600);
    await file.writeFile(String(process.pid)).finally(() => file.close());
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/**
 * Removes the lock of a killed command. One command at a time checks and removes: a second one would remove the lock that
 * the first one acquires afterwards.
 */
async function removeAbandoned(path: string): Promise<boolean> {
  if (!(await isAbandoned(path))) return false;
  const guard = `${path}.check`;
  if (!(await acquire(guard))) {
    if (await isTooOld(guard)) await rm(guard, { force: true });
    return false;
  }
  try {
    const abandoned = await isAbandoned(path);
    if (abandoned) await rm(path, { force: true });
    return abandoned;
  } finally {
    await rm(guard, { force: true });
  }
}

async function isAbandoned(path: string): Promise<boolean> {
  if (await isTooOld(path)) return true;
  const owner = await readFile(path, 'utf8').catch(() => '');
  // Empty while its owner has not written it yet.
  return owner !== '' && !isRunning(Number(owner));
}

async function isTooOld(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  return found !== undefined && Date.now() - found.mtimeMs > MAX_AGE_MS;
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
