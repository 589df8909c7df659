import { browserRowsOf, filterRows } from '../browser/grid/rows';
import type { DirectoryView } from '../browser/directory-views';
import { displayPath, parentOf } from '../tree/display-path';
import { listDirectory } from '../tree/file-tree';
import type { SortedFiles } from '../tree/sorted-files';
import { sortRows } from '../tree/sort-rows';

/** The keys of the files before and after a file in its directory; undefined at the ends. */
export interface NeighbourFiles {
  readonly previous: string | undefined;
  readonly next: string | undefined;
}

/**
 * Finds the neighbours of a file in the order and with the filter of the list that it was opened from.
 *
 * @returns undefined when the directory does not have the file.
 */
export function neighbourFiles(files: SortedFiles, key: string, view: DirectoryView): NeighbourFiles | undefined {
  const directory = sortRows(listDirectory(files, parentOf(displayPath(key))), view.order);
  const rows = browserRowsOf({ ...directory, directories: [] });
  const filtered = filterRows(rows, view.filter);
  // A file opened in another way may be outside the filter.
  const listed = filtered.some(({ entry }) => entry?.key === key) ? filtered : rows;
  const at = listed.findIndex(({ entry }) => entry?.key === key);
  if (at === -1) return undefined;
  return { previous: listed[at - 1]?.entry?.key, next: listed[at + 1]?.entry?.key };
}
