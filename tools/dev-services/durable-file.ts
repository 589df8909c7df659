import { open, rename } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { hasCode } from './errors.ts';

/** Replaces a file so that a reader, also one after a crash, sees the old content or the new, never a part. */
export async function writeDurably(path: string, content: string, mode = 0o600): Promise<void> {
  const temporary = `${path}.${process.pid}.tmp`;
  const file = await open(temporary, 'w', mode);
  try {
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(temporary, path);
  await syncFolder(dirname(path));
}

/** Makes renames and removals in the folder survive a power cut. */
export async function syncFolder(path: string): Promise<void> {
  // Windows cannot open folders; there the rename itself is journalled.
  if (process.platform === 'win32') return;
  const folder = await findFolder(path);
  // Removed as a whole in the meantime: there is nothing left to make durable.
  if (!folder) return;
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

async function findFolder(path: string): Promise<FileHandle | undefined> {
  try {
    return await open(path, 'r');
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}
