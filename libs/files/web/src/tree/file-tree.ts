import type { FileEntry } from '@homeport/files/contracts';

/** The segment a key may begin with and that people never see. */
const WORKSPACE = 'workspace/';

export interface DirectoryRow {
  readonly name: string;
  /** As shown, without the workspace segment. */
  readonly path: string;
  /** Files in it, at any depth. */
  readonly files: number;
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

export interface Crumb {
  readonly name: string;
  readonly path: string;
}

/** The path people see for a key: a leading workspace segment is the same place as none. */
export function shownPath(key: string): string {
  return key.startsWith(WORKSPACE) ? key.slice(WORKSPACE.length) : key;
}

/** The directory an address means: `/files/workspace/threads` is `threads`, `/files/workspace` the root. */
export function shownDirectory(path: string): string {
  return path === 'workspace' ? '' : shownPath(path);
}

/** The directory a shown path lies in; the empty path is the root. */
export function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** What lies directly in a directory, rebuilt from the flat keys. Directories are not stored: an absent one is empty. */
export function openDirectory(entries: readonly FileEntry[], path: string): Directory {
  const prefix = path === '' ? '' : `${path}/`;
  const directories = new Map<string, DirectoryRow>();
  const files: FileRow[] = [];
  for (const entry of entries) {
    const shown = shownPath(entry.key);
    if (!shown.startsWith(prefix)) continue;
    const rest = shown.slice(prefix.length);
    const slash = rest.indexOf('/');
    if (slash === -1) files.push({ name: rest, entry });
    else addTo(directories, rest.slice(0, slash), prefix, entry);
  }
  return { path, directories: [...directories.values()], files };
}

function addTo(directories: Map<string, DirectoryRow>, name: string, prefix: string, entry: FileEntry): void {
  const known = directories.get(name);
  directories.set(name, {
    name,
    path: prefix + name,
    files: (known?.files ?? 0) + 1,
    modifiedAt: known && known.modifiedAt > entry.modified_at ? known.modifiedAt : entry.modified_at,
  });
}

/** How many files lie in a directory, at any depth. */
export function countIn(entries: readonly FileEntry[], directory: string): number {
  return entries.filter(({ key }) => shownPath(key).startsWith(`${directory}/`)).length;
}

/** The directories above and including `path`, from the first below the root. */
export function crumbsTo(path: string): readonly Crumb[] {
  if (path === '') return [];
  const names = path.split('/');
  return names.map((name, index) => ({ name, path: names.slice(0, index + 1).join('/') }));
}

/**
 * The key for a new file in a shown directory: beside the files that are there, so with the workspace segment where
 * those have it. A directory without files does as the whole workspace does.
 */
export function newKey(entries: readonly FileEntry[], directory: string, name: string): string {
  const shown = directory === '' ? name : `${directory}/${name}`;
  const beside = directory === '' ? [] : entries.filter(({ key }) => shownPath(key).startsWith(`${directory}/`));
  const models = beside.length > 0 ? beside : entries;
  const inWorkspace = models.length > 0 && models.every(({ key }) => key.startsWith(WORKSPACE));
  return inWorkspace ? WORKSPACE + shown : shown;
}
