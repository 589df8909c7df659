import { join } from 'node:path';
import { SetupFailed } from '../../errors.ts';
import { tryLock, unlock } from '../../lock-file.mjs';

/**
 * Locks the folder for this process: a second one would remove the files of the first as leftovers at its start.
 * @returns a function that releases the lock. Throws SetupFailed when a running process holds the lock.
 */
export function lockFolder(folder: string): () => void {
  const lockFile = join(folder, 'owner.json');
  const holder = tryLock(lockFile);
  if (holder) {
    throw new SetupFailed(`${folder} is in use by process ${holder.pid}. Stop that one, or set another DATA_DIR.`);
  }
  return () => unlock(lockFile);
}
