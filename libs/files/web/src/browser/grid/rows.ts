import type { FileEntry } from '@homeport/files/contracts';
import { type Directory, type DirectoryRow, type FileRow, filesUnder, displayPath } from '../../tree/file-tree';
import type { SortedFiles } from '../../tree/sorted-files';

/** One line of the list: a directory to enter or a file to view. */
export type BrowserRow = BrowserDirectoryRow | BrowserFileRow;

export interface BrowserDirectoryRow {
  /** Of all lines, and the same as long as it is this directory. */
  readonly id: string;
  readonly name: string;
  readonly directory: DirectoryRow;
  readonly entry?: undefined;
}

export interface BrowserFileRow {
  readonly id: string;
  readonly name: string;
  readonly entry: FileEntry;
  /** Whether another file of the directory has the name, in the same place with or without the workspace segment. */
  readonly isDuplicate: boolean;
  readonly directory?: undefined;
}

export const directoryId = (path: string): string => `d/${path}`;
export const fileId = (key: string): string => `f/${key}`;

/** The lines of a directory, in its order: directories first. */
export function browserRowsOf({ directories, files }: Directory): readonly BrowserRow[] {
  const seen = namesSeen(files);
  const lines: BrowserRow[] = directories.map((directory) => ({
    id: directoryId(directory.path),
    name: directory.name,
    directory,
  }));
  for (const { name, entry } of files) {
    lines.push({ id: fileId(entry.key), name, entry, isDuplicate: (seen.get(name) ?? 0) > 1 });
  }
  return lines;
}

/** How often each name is there; nothing when all keys are of one kind, which then are as different as the names. */
function namesSeen(files: Directory['files']): ReadonlyMap<string, number> {
  const seen = new Map<string, number>();
  const hasSegment = ({ entry }: FileRow): boolean => displayPath(entry.key) !== entry.key;
  if (!files.some(hasSegment) || files.every(hasSegment)) return seen;
  for (const { name } of files) seen.set(name, (seen.get(name) ?? 0) + 1);
  return seen;
}

/** The lines whose names contain the text, in whatever case and however their accents are written. */
export function filterRows(lines: readonly BrowserRow[], filter: string): readonly BrowserRow[] {
  const wanted = filter.normalize('NFC').toLowerCase();
  return wanted === '' ? lines : lines.filter(({ name }) => name.toLowerCase().includes(wanted));
}

/** Every file the lines stand for: themselves, and all that lies in the directories. */
export function filesOf(lines: readonly BrowserRow[], files: SortedFiles): readonly FileEntry[] {
  return lines.flatMap((line) => (line.entry ? [line.entry] : [...filesUnder(files, line.directory.path)]));
}
