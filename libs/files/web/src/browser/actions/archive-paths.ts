import { keyPrefixes } from '../../tree/display-path';
import type { SortedFiles } from '../../tree/sorted-files';
import type { BrowserRow } from '../grid/rows';

/** The paths of rows for an archive: keys of files, and key prefixes of directories that contain files. */
export function archivePathsOf(rows: readonly BrowserRow[], files: SortedFiles): readonly string[] {
  return rows.flatMap((row) => (row.entry ? [row.entry.key] : directoryPaths(row.directory.path, files)));
}

/** The key prefixes of a directory that contain files; `/` for the root. */
export function directoryPaths(directory: string, files: SortedFiles): readonly string[] {
  if (directory === '') return ['/'];
  return keyPrefixes(directory).filter((prefix) => !files.withPrefix(prefix).next().done);
}
