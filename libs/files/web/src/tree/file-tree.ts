import type { FileEntry } from '@homeport/files/contracts';
import type { SortedFiles } from './sorted-files';

/** The segment a key may begin with and that people never see. */
const WORKSPACE = 'workspace/';

export interface DirectoryRow {
  readonly name: string;
  /** As shown, without the workspace segment. */
  readonly path: string;
  /** Files in it, at any depth. */
  readonly files: number;
  /** Of all of them. */
  readonly bytes: number;
  /** The newest change in it, RFC 3339. */
  readonly modifiedAt: string;
}

export interface FileRow {
  readonly name: string;
  readonly entry: FileEntry;
}

/** One level of the hierarchy the flat keys describe. */
export interface Directory {
  readonly path: string;
  readonly directories: readonly DirectoryRow[];
  readonly files: readonly FileRow[];
}

export interface DirectoryBreadcrumb {
  readonly name: string;
  readonly path: string;
}

/** The path people see for a key: a leading workspace segment is the same place as none. */
export function displayPath(key: string): string {
  return key.startsWith(WORKSPACE) ? key.slice(WORKSPACE.length) : key;
}

/** The directory an address means: `/files/workspace/threads` is `threads`, `/files/workspace` the root. */
export function displayDirectory(path: string): string {
  return path === 'workspace' ? '' : displayPath(path);
}

/** The directory a shown path lies in; the empty path is the root. */
export function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** The entries at any depth of a shown directory: those without the workspace segment first, then those with it. */
export function* filesUnder(files: SortedFiles, directory: string): Generator<FileEntry, void> {
  const prefix = directory === '' ? '' : `${directory}/`;
  if (!prefix.startsWith(WORKSPACE)) {
    // At the root this passes the others, which are shown without the segment and so come behind.
    for (const entry of files.withPrefix(prefix)) if (!entry.key.startsWith(WORKSPACE)) yield entry;
  }
  yield* files.withPrefix(WORKSPACE + prefix);
}

/** What lies directly in a directory, rebuilt from the flat keys. Directories are not stored: an absent one is empty. */
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
      // Neighbours in the list are neighbours in the tree, so looking up is rare.
      if (last?.name !== name) last = rowFor(directories, name, prefix);
      addTo(last, entry);
    }
  }
  return { path, directories: [...directories.values()], files: rows };
}

type MutableDirectoryRow = { -readonly [Key in keyof DirectoryRow]: DirectoryRow[Key] };

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

/** What a directory holds at any depth; `modifiedAt` is undefined when it holds nothing. */
export interface DirectorySummary {
  readonly files: number;
  readonly modifiedAt: string | undefined;
}

export function summaryOf(files: SortedFiles, directory: string): DirectorySummary {
  let count = 0;
  let newest = '';
  for (const { modified_at } of filesUnder(files, directory)) {
    count += 1;
    if (modified_at > newest) newest = modified_at;
  }
  return { files: count, modifiedAt: newest || undefined };
}

/** Every directory below the root by its shown path, in the order of the paths. */
export function directoriesIn(files: SortedFiles): readonly string[] {
  const known = new Set<string>();
  for (const { key } of files) {
    for (let path = parentOf(displayPath(key)); path !== '' && !known.has(path); path = parentOf(path)) known.add(path);
  }
  return [...known].sort();
}

/** The directories above and including `path`, from the first below the root. */
export function breadcrumbsTo(path: string): readonly DirectoryBreadcrumb[] {
  if (path === '') return [];
  const names = path.split('/');
  return names.map((name, index) => ({ name, path: names.slice(0, index + 1).join('/') }));
}

/**
 * The key for a new file in a shown directory: beside the files that are there, so with the workspace segment where
 * those have it. A directory without files does as the whole workspace does.
 */
export function newKey(files: SortedFiles, directory: string, name: string): string {
  const shown = directory === '' ? name : `${directory}/${name}`;
  const beside = directory === '' ? undefined : filesUnder(files, directory).next().value;
  // Those without the segment come first; of everything, those with it lie side by side.
  const models = beside ? [beside] : [files.first, files.last];
  return models.every((entry) => entry?.key.startsWith(WORKSPACE)) ? WORKSPACE + shown : shown;
}
