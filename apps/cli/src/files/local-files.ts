import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Unfinished downloads. */
export const PART_PREFIX = '.homeport-part-';

export interface LocalFile {
  /** Below the folder, with slashes, in the form the API stores (NFC). */
  readonly path: string;
  /** Absolute, as the file system has it. */
  readonly location: string;
  readonly size: number;
  readonly mtimeMs: number;
}

/** Lists the files in a folder, without links and devices; none for a folder that does not exist. */
export async function localFiles(folder: string, prefix = ''): Promise<LocalFile[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT' && prefix === '') return [];
    throw error;
  });
  const found: LocalFile[] = [];
  for (const entry of entries) {
    const location = join(folder, entry.name);
    const path = prefix + entry.name.normalize('NFC');
    if (entry.isDirectory()) found.push(...(await localFiles(location, `${path}/`)));
    if (!entry.isFile() || entry.name.startsWith(PART_PREFIX)) continue;
    const { size, mtimeMs } = await stat(location);
    found.push({ path, location, size, mtimeMs });
  }
  return found;
}
