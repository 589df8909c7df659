import { mkdir, open, readFile, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { z } from 'zod';
import { hasCode } from './error-code.ts';

/**
 * The JSON file at `path`, or undefined when there is none.
 * @throws when the file exists and cannot be read, or does not have the shape of `schema`.
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
    throw new Error(`${path} is damaged; remove it to start anew`, { cause });
  }
}

/** Replaces the file as a whole: whoever reads it, also after a crash, finds the old content or the new. */
export async function writePrivateJson(path: string, value: unknown): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const temporary = `${path}.tmp`;
  const file = await open(temporary, 'w', 0o600);
  try {
    await file.writeFile(JSON.stringify(value));
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(temporary, path);
}

/** The file's content, made by `create` and kept when there is no file yet. */
export async function loadOrCreate<T>(path: string, schema: z.ZodType<T>, create: () => Promise<T>): Promise<T> {
  const existing = await findPrivateJson(path, schema);
  if (existing !== undefined) return existing;
  const created = await create();
  await writePrivateJson(path, created);
  return created;
}
