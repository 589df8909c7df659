import { mkdir, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { z } from 'zod';
import { writeDurably } from './durable-file.ts';
import { hasCode, SetupFailed } from './errors.ts';

/**
 * Reads the JSON file at `path`.
 * @returns undefined when the file does not exist.
 * @throws when the file cannot be read; SetupFailed when it does not match `schema`.
 */
export async function findPrivateJson<T>(path: string, schema: z.ZodType<T>): Promise<T | undefined> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  }
  try {
    return schema.parse(JSON.parse(text));
  } catch (cause) {
    throw new SetupFailed(`${path} is damaged. Remove it to get a new one, or run "npm run reset".`, { cause });
  }
}

/** Writes a file that only its owner can read; durable when the promise resolves. */
export async function writePrivateJson(path: string, value: unknown): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await writeDurably(path, `${JSON.stringify(value)}\n`);
}

/** Returns the file's content; creates the file with the result of `create` when it does not exist. */
export async function loadOrCreate<T>(path: string, schema: z.ZodType<T>, create: () => T | Promise<T>): Promise<T> {
  const existing = await findPrivateJson(path, schema);
  if (existing !== undefined) return existing;
  const created = await create();
  await writePrivateJson(path, created);
  return created;
}
