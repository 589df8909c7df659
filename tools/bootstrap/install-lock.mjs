import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { ownMark, stillRuns } from '../dev-services/processes.mjs';

/**
 * Runs the work while no other process holds the lock. A lock whose holder is gone is taken over.
 * @template T
 * @param {string} path
 * @param {() => Promise<T>} work
 * @param {(pid: number) => void} onWait
 * @returns {Promise<T>}
 */
export async function withLock(path, work, onWait) {
  mkdirSync(dirname(path), { recursive: true });
  for (let told = false; !tryLock(path); told = true) {
    const holder = readHolder(path);
    if (holder && !stillRuns(holder)) takeAway(path, holder.pid);
    else if (holder && !told) onWait(holder.pid);
    await pause(300);
  }
  try {
    return await work();
  } finally {
    if (readHolder(path)?.pid === process.pid) rmSync(path, { force: true });
  }
}

/**
 * A link appears with its content or not at all.
 * @param {string} path
 */
function tryLock(path) {
  const own = `${path}.${process.pid}`;
  writeFileSync(own, JSON.stringify(ownMark()));
  try {
    linkSync(own, path);
    return true;
  } catch (error) {
    if (Object(error).code !== 'EEXIST') throw error;
    return false;
  } finally {
    rmSync(own, { force: true });
  }
}

/**
 * Removes a left-over lock. Another process may have done that and locked in the meantime: then its lock is put back.
 * @param {string} path
 * @param {number} pid
 */
function takeAway(path, pid) {
  const aside = `${path}.stale.${process.pid}`;
  try {
    renameSync(path, aside);
    if (readHolder(aside)?.pid !== pid) linkSync(aside, path);
  } catch (error) {
    if (!['ENOENT', 'EEXIST'].includes(Object(error).code)) throw error;
  }
  rmSync(aside, { force: true });
}

/**
 * @param {string} path
 * @returns {import('../dev-services/processes.mjs').ProcessMark | undefined}
 */
function readHolder(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    if (Object(error).code === 'ENOENT') return undefined;
    return { pid: 0, birth: 'unreadable' };
  }
}
