import { open, rename } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { hasCode } from './errors.ts';

/** Replaces a file atomically: readers, also after a crash, see the old or the new content, never a part. */
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

/** Makes renames and removals in the folder survive a power failure. */
export async function syncFolder(path: string): Promise<void> {
  // Windows cannot open folders; there the rename itself is journalled.
  if (process.platform === 'win32') return;
  const folder = await findFolder(path);
  // The folder was removed in the meantime; there is nothing to make durable.
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
