import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { tryLock, unlock } from '../dev-services/lock-file.mjs';

/**
 * Runs `work` while holding the lock; takes over a lock whose holder no longer runs.
 * @template T
 * @param {string} path
 * @param {() => Promise<T>} work
 * @param {(pid: number) => void} onWait
 * @returns {Promise<T>}
 */
export async function withLock(path, work, onWait) {
  mkdirSync(dirname(path), { recursive: true });
  for (let told = false, holder = tryLock(path); holder; holder = tryLock(path)) {
    if (!told) onWait(holder.pid);
    told = true;
    await pause(300);
  }
  try {
    return await work();
  } finally {
    unlock(path);
  }
}
