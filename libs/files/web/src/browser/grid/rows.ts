import type { FileEntry } from '@homeport/files/contracts';
import { displayPath } from '../../tree/display-path';
import { filesUnder } from '../../tree/directory-summary';
import type { Directory, DirectoryRow, FileRow } from '../../tree/file-tree';
import type { SortedFiles } from '../../tree/sorted-files';

/** One row of the list: a directory or a file. */
export type BrowserRow = BrowserDirectoryRow | BrowserFileRow;

export interface BrowserDirectoryRow {
  /** Unique among all rows, and stable for this directory. */
  readonly id: string;
  readonly name: string;
  readonly directory: DirectoryRow;
  readonly entry?: undefined;
}

export interface BrowserFileRow {
  readonly id: string;
  readonly name: string;
  readonly entry: FileEntry;
  /** Whether another file is shown with the same name, because only one of the two keys has the workspace segment. */
  readonly isDuplicate: boolean;
  readonly directory?: undefined;
}

export const directoryId = (path: string): string => `d/${path}`;
export const fileId = (key: string): string => `f/${key}`;

/** The rows of a directory in its order, directories first. */
export function browserRowsOf({ directories, files }: Directory): readonly BrowserRow[] {
  const counts = countNames(files);
  const rows: BrowserRow[] = directories.map((directory) => ({
    id: directoryId(directory.path),
    name: directory.name,
    directory,
  }));
  for (const { name, entry } of files) {
    rows.push({ id: fileId(entry.key), name, entry, isDuplicate: (counts.get(name) ?? 0) > 1 });
  }
  return rows;
}

/** How often each name occurs. Empty when all keys or no keys have the workspace segment: then all names are unique. */
function countNames(files: Directory['files']): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  const hasSegment = ({ entry }: FileRow): boolean => displayPath(entry.key) !== entry.key;
  if (!files.some(hasSegment) || files.every(hasSegment)) return counts;
  for (const { name } of files) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

/** The rows whose names contain the text. Ignores case and Unicode normalization. */
export function filterRows(rows: readonly BrowserRow[], filter: string): readonly BrowserRow[] {
  const wanted = filter.normalize('NFC').toLowerCase();
  return wanted === '' ? rows : rows.filter(({ name }) => name.toLowerCase().includes(wanted));
}

/** The files of the rows: the files themselves and all files in the directories, at any depth. */
export function filesOf(rows: readonly BrowserRow[], files: SortedFiles): readonly FileEntry[] {
  return rows.flatMap((row) => (row.entry ? [row.entry] : [...filesUnder(files, row.directory.path)]));
}
