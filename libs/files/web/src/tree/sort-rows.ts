import type { Directory, DirectoryRow, FileRow } from './file-tree';
import { compareNames, CollatedName } from './name-collation';

export const SORT_FIELDS = ['name', 'modified', 'size'] as const;
export type SortField = (typeof SORT_FIELDS)[number];

export interface SortOrder {
  readonly field: SortField;
  readonly descending: boolean;
}

export const BY_NAME: SortOrder = { field: 'name', descending: false };

/** The sort order as a URL parameter: `-modified` is newest first. Undefined for the default order. */
export function sortParameter({ field, descending }: SortOrder): string | undefined {
  return field === BY_NAME.field && !descending ? undefined : `${descending ? '-' : ''}${field}`;
}

/** The sort order of a URL parameter; the default order when the parameter is unknown. */
export function parseSortOrder(parameter: string | null | undefined): SortOrder {
  const descending = parameter?.startsWith('-') ?? false;
  const field = SORT_FIELDS.find((each) => each === (descending ? parameter?.slice(1) : parameter));
  return field ? { field, descending } : BY_NAME;
}

/** A row with its sort weight, computed once instead of at every comparison. */
class SortableRow<T extends { readonly name: string }> extends CollatedName {
  constructor(
    readonly row: T,
    readonly weight: number,
  ) {
    super(row.name);
  }
}

/** Sorts rows, directories before files; equal rows are sorted by name. */
export function sortRows(directory: Directory, { field, descending }: SortOrder): Directory {
  const sort = <T extends DirectoryRow | FileRow>(rows: readonly T[], weigh: (row: T) => number): readonly T[] =>
    rows
      .map((row) => new SortableRow(row, field === 'name' ? 0 : weigh(row)))
      .sort(comparison(field, descending ? -1 : 1))
      .map(({ row }) => row);
  return {
    ...directory,
    directories: sort(directory.directories, (row) => (field === 'size' ? (row.bytes ?? 0) : timeOf(row.modifiedAt))),
    files: sort(directory.files, ({ entry }) => (field === 'size' ? entry.size : timeOf(entry.modified_at))),
  };
}

/** Milliseconds since the epoch; 0 for a directory that is not counted yet. */
function timeOf(date: string | undefined): number {
  return date === undefined ? 0 : Date.parse(date);
}

type Comparison = (a: SortableRow<{ readonly name: string }>, b: SortableRow<{ readonly name: string }>) => number;

function comparison(field: SortField, sign: number): Comparison {
  if (field === 'name') return (a, b) => sign * compareNames(a, b);
  return (a, b) => sign * (a.weight - b.weight) || compareNames(a, b);
}
