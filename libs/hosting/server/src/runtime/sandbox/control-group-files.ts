import { readFileSync, writeFileSync } from 'node:fs';
import { mkdir, readdir, readFile, rmdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

const REMOVE_ATTEMPTS = 200;
const RETRY_MS = 5;

/** The processes in a control group; empty when the group does not exist. */
export async function processesIn(folder: string): Promise<readonly number[]> {
  const text = await readFile(join(folder, 'cgroup.procs'), 'utf8').catch(ifAbsent(''));
  return text.split('\n').filter(Boolean).map(Number);
}

export async function readNumber(folder: string, file: string, key?: string): Promise<number> {
  return numberIn(await readFile(join(folder, file), 'utf8').catch(ifAbsent('')), key);
}

/** As `readNumber`, without the way through the thread pool. */
export function readNumberSync(folder: string, file: string, key?: string): number {
  try {
    return numberIn(readFileSync(join(folder, file), 'utf8'), key);
  } catch (error) {
    return numberIn(ifAbsent('')(error), key);
  }
}

/** Lets a group use the CPU only while no group beside it needs it. The group may have been removed. */
export function setIdle(folder: string, isIdle: boolean): void {
  try {
    // Kernels before 5.15 do not have the file, and refuse to create it.
    writeFileSync(join(folder, 'cpu.idle'), isIdle ? '1' : '0');
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (!['ENOENT', 'ENODEV', 'EACCES', 'EPERM'].includes(code)) throw error;
  }
}

function numberIn(text: string, key?: string): number {
  if (key === undefined) return Number(text);
  return Number(
    text
      .split('\n')
      .find((line) => line.startsWith(`${key} `))
      ?.slice(key.length + 1) ?? 0,
  );
}

/** Creates a control group and writes its settings, in this order. */
export async function createGroup(folder: string, settings: Readonly<Record<string, string>>): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const [file, value] of Object.entries(settings)) await writeFile(join(folder, file), value);
}

/** Whether the group of a file was removed: before the file was opened, or since (`ENODEV`). */
export function isRemoved({ code }: NodeJS.ErrnoException): boolean {
  return code === 'ENOENT' || code === 'ENODEV';
}

/** Removes a control group as soon as the kernel has removed its last process. Repeating is safe. */
export async function removeGroup(folder: string): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await rmdir(folder);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'ENOENT') return;
      if (code !== 'EBUSY' || attempt === REMOVE_ATTEMPTS) throw error;
    }
    await setTimeout(RETRY_MS);
  }
}

/** The names of the groups below one; empty when it does not exist. */
export async function groupsBelow(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(ifAbsent([]));
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
}

function ifAbsent<Value>(value: Value): (error: unknown) => Value {
  return (error) => {
    if (isRemoved(error as NodeJS.ErrnoException)) return value;
    throw error;
  };
}
