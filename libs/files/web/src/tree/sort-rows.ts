import type { Directory, DirectoryRow, FileRow } from './file-tree';
import { compareNames, CollatedName } from './name-collation';

export const SORT_FIELDS = ['name', 'modified', 'size'] as const;
export type SortField = (typeof SORT_FIELDS)[number];

export interface SortOrder {
  readonly field: SortField;
  readonly descending: boolean;
}

export const BY_NAME: SortOrder = { field: 'name', descending: false };

/** The order as an address has it: `-modified` is the newest first. Undefined for the usual one. */
export function sortParameter({ field, descending }: SortOrder): string | undefined {
  return field === BY_NAME.field && !descending ? undefined : `${descending ? '-' : ''}${field}`;
}

/** The order an address asks for; the usual one when it asks for nothing that there is. */
export function parseSortOrder(parameter: string | null | undefined): SortOrder {
  const descending = parameter?.startsWith('-') ?? false;
  const field = SORT_FIELDS.find((each) => each === (descending ? parameter?.slice(1) : parameter));
  return field ? { field, descending } : BY_NAME;
}

/** A row with what it is compared by, worked out once instead of at every comparison. */
class SortableRow<T extends { readonly name: string }> extends CollatedName {
  constructor(
    readonly row: T,
    readonly weight: number,
  ) {
    super(row.name);
  }
}

/** The rows in the order asked for, directories before files; equal rows stay in the order of their names. */
export function sortRows(directory: Directory, { field, descending }: SortOrder): Directory {
  const sort = <T extends DirectoryRow | FileRow>(rows: readonly T[], weigh: (row: T) => number): readonly T[] =>
    rows
      .map((row) => new SortableRow(row, field === 'name' ? 0 : weigh(row)))
      .sort(comparison(field, descending ? -1 : 1))
      .map(({ row }) => row);
  return {
    ...directory,
    directories: sort(directory.directories, (row) => (field === 'size' ? row.bytes : Date.parse(row.modifiedAt))),
    files: sort(directory.files, ({ entry }) => (field === 'size' ? entry.size : Date.parse(entry.modified_at))),
  };
}

type Comparison = (a: SortableRow<{ readonly name: string }>, b: SortableRow<{ readonly name: string }>) => number;

function comparison(field: SortField, sign: number): Comparison {
  if (field === 'name') return (a, b) => sign * compareNames(a, b);
  return (a, b) => sign * (a.weight - b.weight) || compareNames(a, b);
}
