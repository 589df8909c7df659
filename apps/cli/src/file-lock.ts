import { open, readFile, rm, stat } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';

const POLL_MS = 20;
/** Longer than the work under any lock; the number of an ended process may belong to another one. */
const MAX_AGE_MS = 60_000;

/** Runs `work` while no other command runs work with the same lock file. The lock of a killed command is released. */
export async function withFileLock<T>(path: string, work: () => Promise<T>): Promise<T> {
  while (!(await acquire(path))) {
    if (await isAbandoned(path)) await rm(path, { force: true });
    else await setTimeout(POLL_MS);
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

async function isAbandoned(path: string): Promise<boolean> {
  const [found, owner] = await Promise.all([stat(path), readFile(path, 'utf8')]).catch(() => []);
  if (found === undefined || owner === undefined) return false;
  if (Date.now() - found.mtimeMs > MAX_AGE_MS) return true;
  // Empty while its owner has not written it yet.
  return owner !== '' && !isRunning(Number(owner));
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
