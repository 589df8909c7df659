import type { Directory, DirectoryRow, FileRow } from './file-tree';

export const SORT_FIELDS = ['name', 'modified', 'size'] as const;
export type SortField = (typeof SORT_FIELDS)[number];

export interface SortOrder {
  readonly field: SortField;
  readonly descending: boolean;
}

// "file 2" before "file 10", and capitals where people look for them.
const byName = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

/** The rows in the order asked for, directories before files; equal rows stay in the order of their names. */
export function sortRows(directory: Directory, order: SortOrder): Directory {
  const sign = order.descending ? -1 : 1;
  const directories = [...directory.directories].sort(
    (a, b) => sign * compareDirectories(a, b, order.field) || byName.compare(a.name, b.name),
  );
  const files = [...directory.files].sort(
    (a, b) => sign * compareFiles(a, b, order.field) || byName.compare(a.name, b.name),
  );
  return { ...directory, directories, files };
}

function compareDirectories(a: DirectoryRow, b: DirectoryRow, field: SortField): number {
  if (field === 'modified') return Date.parse(a.modifiedAt) - Date.parse(b.modifiedAt);
  return field === 'name' ? byName.compare(a.name, b.name) : 0;
}

function compareFiles(a: FileRow, b: FileRow, field: SortField): number {
  if (field === 'modified') return Date.parse(a.entry.modified_at) - Date.parse(b.entry.modified_at);
  return field === 'size' ? a.entry.size - b.entry.size : byName.compare(a.name, b.name);
}
