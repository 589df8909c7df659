import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Unfinished downloads. */
export const PART_PREFIX = '.homeport-part-';

/** Node puts it in place of bytes that it cannot decode. */
export const NOT_UTF_8 = '\ufffd';

export interface LocalFile {
  /** Below the folder, with slashes, in the form the API stores (NFC). */
  readonly path: string;
  /** Absolute, as the file system has it. */
  readonly location: string;
  readonly size: number;
  readonly mtimeMs: number;
}

export interface LocalListing {
  readonly files: readonly LocalFile[];
  /** Paths of links and devices, which are not synchronized. */
  readonly others: readonly string[];
  /** Paths that have no form in the workspace, with the reason. */
  readonly unusable: readonly { readonly path: string; readonly reason: string }[];
}

/** Lists the files in a folder; none for a folder that does not exist. */
export async function localFiles(folder: string): Promise<LocalListing> {
  const listing = { files: new Map<string, LocalFile>(), others: [], unusable: [] };
  await listFolder(folder, '', listing);
  return { ...listing, files: [...listing.files.values()] };
}

interface Listing {
  readonly files: Map<string, LocalFile>;
  readonly others: string[];
  readonly unusable: { path: string; reason: string }[];
}

async function listFolder(folder: string, prefix: string, listing: Listing): Promise<void> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT' && prefix === '') return [];
    throw error;
  });
  for (const entry of entries) {
    const location = join(folder, entry.name);
    const path = prefix + entry.name.normalize('NFC');
    if (entry.name.startsWith(PART_PREFIX)) continue;
    if (entry.name.includes(NOT_UTF_8)) listing.unusable.push({ path, reason: 'its name is not UTF-8' });
    else if (entry.isDirectory()) await listFolder(location, `${path}/`, listing);
    else if (!entry.isFile()) listing.others.push(path);
    else if (listing.files.has(path))
      listing.unusable.push({ path, reason: 'another name differs only in its accents' });
    else {
      const found = await stat(location).catch(() => undefined);
      // A file that was deleted meanwhile is not listed.
      if (found) listing.files.set(path, { path, location, size: found.size, mtimeMs: found.mtimeMs });
    }
  }
}
