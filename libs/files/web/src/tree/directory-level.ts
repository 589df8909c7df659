import { type FileEntry, parseFilePrefix } from '@homeport/files/contracts';
import type { FilesClient } from '../client/files-client';
import { displayPath, joinPath, keyPrefixes, WORKSPACE } from './display-path';
import { filesUnder } from './directory-summary';
import type { Directory, DirectoryRow } from './file-tree';
import { SortedFiles } from './sorted-files';

/** The files and directories directly in one directory, as the server lists them. */
export interface DirectoryLevel {
  /** The display path. */
  readonly path: string;
  readonly files: SortedFiles;
  readonly directories: ReadonlySet<string>;
  /** The key prefix for new files: without the workspace segment if a key of the level has none; undefined if empty. */
  readonly keyPrefix: string | undefined;
}

/** Changes of files that the server has confirmed. */
export interface FileChanges {
  readonly added: readonly FileEntry[];
  readonly removed: readonly string[];
}

/** Reads one level. @throws {HttpProblem} */
export async function readLevel(
  client: Pick<FilesClient, 'listLevel'>,
  path: string,
  signal: AbortSignal,
): Promise<DirectoryLevel> {
  // No key can begin with a prefix that the API rejects, so such a directory is empty.
  const prefixes = keyPrefixes(path).filter(isValidPrefix);
  const listings = await Promise.all(prefixes.map((prefix) => client.listLevel(prefix, signal)));
  const levels = listings.map(({ items, directories }, at) => {
    const prefix = prefixes[at] ?? '';
    return { prefix, items, names: directoryNames(directories, prefix) };
  });
  return {
    path,
    files: SortedFiles.of(levels.flatMap(({ items }) => items)),
    directories: new Set(levels.flatMap(({ names }) => names)),
    keyPrefix: levels.find(({ items, names }) => items.length + names.length > 0)?.prefix,
  };
}

/**
 * The level after changes.
 * @param files all files after the changes; undefined while they are unknown.
 */
export function changedLevel(
  level: DirectoryLevel,
  { added, removed }: FileChanges,
  files: SortedFiles | undefined,
): DirectoryLevel {
  const names = new Set(level.directories);
  const isInLevel = ({ key }: FileEntry): boolean => childOf(level.path, key)?.isDirectory === false;
  for (const key of removed) {
    const child = childOf(level.path, key);
    if (child?.isDirectory && files && !hasFiles(files, child.path)) names.delete(child.name);
  }
  for (const { key } of added) {
    const child = childOf(level.path, key);
    if (child?.isDirectory) names.add(child.name);
  }
  return { ...level, files: level.files.without(removed).with(added.filter(isInLevel)), directories: names };
}

/** All that is known of the files of a workspace when a level is shown. */
export interface KnownFiles {
  /** All files, including hidden ones. */
  readonly all: SortedFiles;
  /** The directory as the visible files describe it. */
  readonly directory: Directory;
}

/**
 * The directory to show for a level: its files and directories, with the contents of directories from the known files.
 * @param known undefined while the files are not loaded.
 * @param isHidden whether a file is being deleted.
 * @returns `known.directory` itself when the level has the same files and directories.
 */
export function directoryOf(
  level: DirectoryLevel,
  known: KnownFiles | undefined,
  isHidden: (key: string) => boolean,
): Directory {
  const files = [...level.files].filter(({ key }) => !isHidden(key));
  const rows = directoryRows(level, known);
  if (known && isSame(known.directory, rows, files)) return known.directory;
  const start = level.path === '' ? 0 : level.path.length + 1;
  return {
    path: level.path,
    directories: rows,
    files: files.map((entry) => ({ name: displayPath(entry.key).slice(start), entry })),
  };
}

function directoryRows({ path, directories }: DirectoryLevel, known: KnownFiles | undefined): readonly DirectoryRow[] {
  const counted = new Map(known?.directory.directories.map((row) => [row.name, row]));
  return [...directories].flatMap((name) => {
    const row = counted.get(name) ?? { name, path: joinPath(path, name) };
    // All files of the directory are hidden: it disappears with them.
    return known && !counted.has(name) && hasFiles(known.all, row.path) ? [] : [row];
  });
}

function isSame(known: Directory, rows: readonly DirectoryRow[], files: readonly FileEntry[]): boolean {
  if (known.files.length !== files.length || known.directories.length !== rows.length) return false;
  if (rows.some(({ files: count }) => count === undefined)) return false;
  const etags = new Map(known.files.map(({ entry }) => [entry.key, entry.etag]));
  return files.every(({ key, etag }) => etags.get(key) === etag);
}

/** The row that a key belongs to in a directory: the file itself or a directory; undefined outside the directory. */
function childOf(directory: string, key: string): { name: string; path: string; isDirectory: boolean } | undefined {
  const shown = displayPath(key);
  const prefix = directory === '' ? '' : `${directory}/`;
  if (!shown.startsWith(prefix)) return undefined;
  const slash = shown.indexOf('/', prefix.length);
  const path = slash === -1 ? shown : shown.slice(0, slash);
  return { name: path.slice(prefix.length), path, isDirectory: slash !== -1 };
}

function directoryNames(directories: readonly string[], prefix: string): readonly string[] {
  // The root shows the contents of the workspace segment instead of the segment itself.
  return directories.filter((each) => each !== WORKSPACE).map((each) => each.slice(prefix.length, -1));
}

function hasFiles(files: SortedFiles, directory: string): boolean {
  return !filesUnder(files, directory).next().done;
}

function isValidPrefix(prefix: string): boolean {
  const parsed = parseFilePrefix(prefix);
  return 'path' in parsed && parsed.path === prefix;
}
