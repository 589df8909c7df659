// Plain JavaScript: the installation acquires a lock before packages are installed.
import { randomUUID } from 'node:crypto';
import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { currentProcessIdentity, isStillRunning } from './processes.mjs';

/** @typedef {import('./processes.mjs').ProcessIdentity} ProcessIdentity */

/**
 * Acquires the lock for this process. Takes over a lock that is unreadable or whose holder no longer runs.
 * @param {string} path
 * @param {Record<string, unknown>} [details] stored in the lock file, for its readers.
 * @returns {ProcessIdentity | undefined} undefined after success, otherwise the current holder.
 */
export function tryLock(path, details = {}) {
  while (!create(path, { ...details, ...currentProcessIdentity() })) {
    const holder = findHolder(path) ?? removeStaleLock(path);
    if (holder) return holder;
  }
  return undefined;
}

/**
 * Returns the holder of the lock with its details; undefined when the lock is free.
 * @param {string} path
 * @returns {ProcessIdentity & Record<string, unknown> | undefined}
 */
export function findHolder(path) {
  const identity = read(path);
  return identity && isStillRunning(identity) ? identity : undefined;
}

/**
 * Releases a lock of this process.
 * @param {string} path
 */
export function unlock(path) {
  const own = currentProcessIdentity();
  const identity = read(path);
  if (identity?.pid === own.pid && identity.birth === own.birth) rmSync(path, { force: true });
}

/**
 * Removes a stale lock, guarded by a second lock: otherwise a slow process would remove the new lock of a faster one.
 * @param {string} path
 * @returns the process that is already removing the lock; undefined after the removal.
 */
function removeStaleLock(path) {
  const guard = `${path}.takeover`;
  const other = tryLock(guard);
  if (other) return other;
  try {
    const identity = read(path);
    // If another process has already removed it, a new file of this name belongs to that process.
    if (identity && !isStillRunning(identity)) rmSync(path);
  } finally {
    unlock(guard);
  }
  return undefined;
}

/**
 * Creates the lock file with a hard link: it appears with its full content, or fails when the name exists.
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
 * Returns undefined when there is no lock. A file truncated by a crash yields a process that never ran.
 * @param {string} path
 */
function read(path) {
  try {
    const content = JSON.parse(readFileSync(path, 'utf8'));
    if (typeof content?.birth === 'string') return content;
  } catch (error) {
    if (Object(error).code === 'ENOENT') return undefined;
    // Compares the name: under Jest the class may come from another realm.
    if (Object(error).name !== 'SyntaxError') throw error;
  }
  return { pid: 0, birth: 'unreadable' };
}
