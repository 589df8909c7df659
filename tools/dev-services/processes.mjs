import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/**
 * Returns the start of a process, which distinguishes it from a later one with the same process id. Undefined for
 * zombies too, because a container without an init process never reaps them.
 * @param {number} pid
 * @returns {string | undefined} undefined when the process does not exist.
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
    // The second field is the command in parentheses and may contain spaces and parentheses.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (fields[0] === 'Z' || fields[0] === 'X') return undefined;
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return `${boot}/${fields[19]}`;
  } catch {
    // The process does not exist, or ended between open and read.
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

/** Identifies the calling process in a lock file. */
export function currentProcessIdentity() {
  return { pid: process.pid, birth: processStartOf(process.pid) ?? 'unknown' };
}

/**
 * Whether the process that wrote this identity still runs.
 * @param {{ pid: number, birth: string }} mark
 */
export function isStillRunning(mark) {
  return processStartOf(mark.pid) === mark.birth;
}
