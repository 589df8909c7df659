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
  const text = await readFile(join(folder, file), 'utf8').catch(ifAbsent(''));
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
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENODEV') return value;
    throw error;
  };
}
