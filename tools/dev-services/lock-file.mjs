// Plain JavaScript: the installation takes a lock before anything is installed.
import { randomUUID } from 'node:crypto';
import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { currentProcessIdentity, isStillRunning } from './processes.mjs';

/** @typedef {import('./processes.mjs').ProcessIdentity} ProcessIdentity */

/**
 * Takes the lock for this process and answers undefined, or answers who has it. A lock whose holder is gone, or that
 * cannot be read, counts as left over and is taken. `details` are kept in it, for its readers.
 * @param {string} path
 * @param {Record<string, unknown>} [details]
 * @returns {ProcessIdentity | undefined}
 */
export function tryLock(path, details = {}) {
  while (!create(path, { ...details, ...currentProcessIdentity() })) {
    const holder = findHolder(path) ?? removeStaleLock(path);
    if (holder) return holder;
  }
  return undefined;
}

/**
 * Who holds the lock, with the details given then. Undefined when nobody does.
 * @param {string} path
 * @returns {ProcessIdentity & Record<string, unknown> | undefined}
 */
export function findHolder(path) {
  const mark = read(path);
  return mark && isStillRunning(mark) ? mark : undefined;
}

/**
 * Gives back a lock of this process.
 * @param {string} path
 */
export function unlock(path) {
  const own = currentProcessIdentity();
  const mark = read(path);
  if (mark?.pid === own.pid && mark.birth === own.birth) rmSync(path, { force: true });
}

/**
 * Of processes that find the same left-over one removes it, under a lock of its own: a slow second one would remove
 * what the first has put there since. Answers who does it when that is not us.
 * @param {string} path
 */
function removeStaleLock(path) {
  const guard = `${path}.takeover`;
  const other = tryLock(guard);
  if (other) return other;
  try {
    const mark = read(path);
    // Where it is gone by now, the next file of this name is somebody's.
    if (mark && !isStillRunning(mark)) rmSync(path);
  } finally {
    unlock(guard);
  }
  return undefined;
}

/**
 * A link appears with its content or, when the name is taken, not at all.
 * @param {string} path
 * @param {object} content
 */
function create(path, content) {
  const candidate = `${path}.${randomUUID()}`;
  writeFileSync(candidate, JSON.stringify(content), { mode: 0o600 });
  try {
    linkSync(candidate, path);
    return true;
  } catch (error) {
    if (Object(error).code !== 'EEXIST') throw error;
    return false;
  } finally {
    rmSync(candidate, { force: true });
  }
}

/**
 * Undefined when there is no lock; one cut short by a crash names a process that never ran.
 * @param {string} path
 */
function read(path) {
  try {
    const content = JSON.parse(readFileSync(path, 'utf8'));
    if (typeof content?.birth === 'string') return content;
  } catch (error) {
    if (Object(error).code === 'ENOENT') return undefined;
    // By name: under Jest the class may come from another realm.
    if (Object(error).name !== 'SyntaxError') throw error;
  }
  return { pid: 0, birth: 'unreadable' };
}
