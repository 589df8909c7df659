import { readFile } from 'node:fs/promises';

const KIBIBYTE = 1024;

/** All processes below one, itself included; empty when it has ended or the platform has no `/proc`. */
export async function processTree(pid: number): Promise<readonly number[]> {
  const children = await readOrEmpty(`/proc/${pid}/task/${pid}/children`);
  if (children === undefined) return [];
  const below = await Promise.all(
    children
      .split(' ')
      .filter(Boolean)
      .map((child) => processTree(Number(child))),
  );
  return [pid, ...below.flat()];
}

/** The memory of a process and all below it: each shared page is divided among those that share it. */
export async function memoryOfTree(pid: number): Promise<number> {
  const maps = await Promise.all((await processTree(pid)).map((each) => readOrEmpty(`/proc/${each}/smaps_rollup`)));
  return maps.reduce((sum, text) => sum + Number(/^Pss:\s+(\d+) kB/m.exec(text ?? '')?.[1] ?? 0) * KIBIBYTE, 0);
}

/** Processes may end at any time: their files are then absent, or reading them fails with ESRCH. */
async function readOrEmpty(path: string): Promise<string | undefined> {
  return readFile(path, 'utf8').catch(() => undefined);
}

/** Whether a process exists, of any user. */
export function isProcessAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

/** Signals a process, which may have ended already. */
export function signalProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
