import { join } from 'node:path';
import { SetupFailed } from '../../errors.ts';
import { tryLock, unlock } from '../../lock-file.mjs';

/**
 * Makes this process the only one to use the folder: at its start a second one would take the files of the first for
 * leftovers and remove them. Answers how to give it back. Throws SetupFailed when a running process has it.
 */
export function lockFolder(folder: string): () => void {
  const claim = join(folder, 'owner.json');
  const holder = tryLock(claim);
  if (holder) {
    throw new SetupFailed(`${folder} is in use by process ${holder.pid}. Stop that one, or set another DATA_DIR.`);
  }
  return () => unlock(claim);
}
