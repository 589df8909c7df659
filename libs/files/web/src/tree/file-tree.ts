import type { FileEntry } from '@homeport/files/contracts';
import { filesUnder } from './directory-summary';
import { WORKSPACE, displayPath, parentOf, joinPath } from './display-path';
import type { SortedFiles } from './sorted-files';

/** A directory in a list. Its contents are undefined until they are counted. */
export interface DirectoryRow {
  readonly name: string;
  /** The display path, without the workspace segment. */
  readonly path: string;
  /** Number of files at any depth. */
  readonly files?: number;
  /** Total size of these files. */
  readonly bytes?: number;
  /** The newest change of these files, RFC 3339. */
  readonly modifiedAt?: string;
}

export interface FileRow {
  readonly name: string;
  readonly entry: FileEntry;
}

/** One level of the hierarchy that the flat keys describe. */
export interface Directory {
  readonly path: string;
  readonly directories: readonly DirectoryRow[];
  readonly files: readonly FileRow[];
}

export interface DirectoryBreadcrumb {
  readonly name: string;
  readonly path: string;
}

/** Builds one directory level from the flat keys. Directories are not stored, so an unknown one is empty. */
export function listDirectory(files: SortedFiles, path: string): Directory {
  const prefix = path === '' ? '' : `${path}/`;
  const directories = new Map<string, MutableDirectoryRow>();
  const rows: FileRow[] = [];
  let last: MutableDirectoryRow | undefined;
  for (const entry of filesUnder(files, path)) {
    const start = (entry.key.startsWith(WORKSPACE) ? WORKSPACE.length : 0) + prefix.length;
    const slash = entry.key.indexOf('/', start);
    if (slash === -1) rows.push({ name: entry.key.slice(start), entry });
    else {
      const name = entry.key.slice(start, slash);
      // The keys are sorted, so consecutive entries are mostly in the same directory and need no lookup.
      if (last?.name !== name) last = rowFor(directories, name, prefix);
      addTo(last, entry);
    }
  }
  return { path, directories: [...directories.values()], files: rows };
}

type MutableDirectoryRow = { -readonly [Key in keyof DirectoryRow]-?: DirectoryRow[Key] };

function rowFor(directories: Map<string, MutableDirectoryRow>, name: string, prefix: string): MutableDirectoryRow {
  const known = directories.get(name);
  if (known) return known;
  const row = { name, path: prefix + name, files: 0, bytes: 0, modifiedAt: '' };
  directories.set(name, row);
  return row;
}

function addTo(row: MutableDirectoryRow, { size, modified_at }: FileEntry): void {
  row.files += 1;
  row.bytes += size;
  if (modified_at > row.modifiedAt) row.modifiedAt = modified_at;
}

/** The display paths of all directories below the root, sorted. */
export function directoriesIn(files: SortedFiles): readonly string[] {
  const known = new Set<string>();
  for (const { key } of files) {
    for (let path = parentOf(displayPath(key)); path !== '' && !known.has(path); path = parentOf(path)) known.add(path);
  }
  return [...known].sort();
}

/** The directories from below the root down to and including `path`. */
export function breadcrumbsTo(path: string): readonly DirectoryBreadcrumb[] {
  if (path === '') return [];
  const names = path.split('/');
  return names.map((name, index) => ({ name, path: names.slice(0, index + 1).join('/') }));
}

/**
 * The key for a new file in a directory. It has the workspace segment if the files of the directory have it; in an
 * empty directory, if all files of the workspace have it.
 */
export function newKey(files: SortedFiles, directory: string, name: string): string {
  const shown = joinPath(directory, name);
  const sibling = directory === '' ? undefined : filesUnder(files, directory).next().value;
  // Keys with the segment are adjacent in the sorted list, so the first and the last key decide for all.
  const samples = sibling ? [sibling] : [files.first, files.last];
  return samples.every((entry) => entry?.key.startsWith(WORKSPACE)) ? WORKSPACE + shown : shown;
}
