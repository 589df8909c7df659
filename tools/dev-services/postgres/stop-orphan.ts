import { execFile } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { hasCode, SetupFailed } from '../errors.ts';
import { processStartOf } from '../processes.mjs';

const run = promisify(execFile);
const STOP_SECONDS = 30;

/**
 * Stops a PostgreSQL that a killed supervisor left running on this data folder, and removes a lock file whose process
 * id now belongs to another program. Otherwise does nothing.
 */
export async function stopOrphan(data: string): Promise<void> {
  const pid = await lockedBy(data);
  if (pid === undefined) return;
  const birth = processStartOf(pid);
  if (birth === undefined) return; // PostgreSQL itself recovers from the lock file of a dead process.
  if (!(await commandLine(pid)).includes(data)) {
    await rm(join(data, 'postmaster.pid'), { force: true });
    return;
  }
  process.kill(pid, 'SIGINT'); // fast shutdown
  for (let waited = 0; processStartOf(pid) === birth; waited += 0.05) {
    if (waited > STOP_SECONDS) {
      throw new SetupFailed(
        `An earlier PostgreSQL (process ${pid}) on ${data} does not stop. End the process and try again.`,
      );
    }
    await pause(50);
  }
}

async function lockedBy(data: string): Promise<number | undefined> {
  try {
    const [pid] = (await readFile(join(data, 'postmaster.pid'), 'utf8')).split('\n');
    return Number(pid) || undefined;
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR')) return undefined;
    throw error;
  }
}

async function commandLine(pid: number): Promise<string> {
  if (process.platform === 'linux') {
    return (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).replaceAll('\0', ' ');
  }
  if (process.platform === 'win32') {
    const query = `(Get-CimInstance Win32_Process -Filter "ProcessId=${pid}").CommandLine`;
    return (await run('powershell', ['-NoProfile', '-Command', query])).stdout;
  }
  return (await run('ps', ['-ww', '-o', 'command=', '-p', String(pid)])).stdout;
}
