import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/**
 * Tells a running process from a later one that got the same number. Undefined when there is none; a zombie counts as
 * none, because a container without an init process never reaps it.
 * @param {number} pid
 * @returns {string | undefined}
 */
export function processStartOf(pid) {
  if (!Number.isInteger(pid) || pid <= 0) return undefined;
  if (process.platform === 'linux') return processStartFromProc(pid);
  if (!signalReaches(pid)) return undefined;
  return process.platform === 'win32' ? 'running' : processStartFromPs(pid);
}

/** @param {number} pid */
function processStartFromProc(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field is the command in brackets and may itself hold blanks and brackets.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (fields[0] === 'Z' || fields[0] === 'X') return undefined;
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return `${boot}/${fields[19]}`;
  } catch {
    // No such directory (gone), or it vanished between open and read: either way there is no such process.
    return undefined;
  }
}

/** @param {number} pid */
function processStartFromPs(pid) {
  try {
    return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim() || undefined;
  } catch {
    return undefined;
  }
}

/** @param {number} pid */
function signalReaches(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return Object(error).code === 'EPERM';
  }
}

/** The calling process, to be written into a lock. */
export function currentProcessIdentity() {
  return { pid: process.pid, birth: processStartOf(process.pid) ?? 'unknown' };
}

/**
 * Whether the process that wrote this mark still runs.
 * @param {{ pid: number, birth: string }} mark
 */
export function isStillRunning(mark) {
  return processStartOf(mark.pid) === mark.birth;
}
