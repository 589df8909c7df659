import { SORT_FIELDS, type SortField, type SortOrder } from '../../tree/sort-rows';

export interface GridColumn {
  readonly field: SortField;
  readonly label: string;
  /** The value of `aria-sort`; null for a column that the rows are not sorted by. */
  readonly sort: 'ascending' | 'descending' | null;
}

export function gridColumns({ field, descending }: SortOrder): readonly GridColumn[] {
  const labels = { name: $localize`Name`, modified: $localize`Modified`, size: $localize`Size` };
  return SORT_FIELDS.map((each) => ({
    field: each,
    label: labels[each],
    sort: each !== field ? null : descending ? 'descending' : 'ascending',
  }));
}

/** The sort order after a click on a column heading: a second click reverses it. */
export function nextSortOrder(current: SortOrder, field: SortField): SortOrder {
  // Dates and sizes sort descending first, because users mostly look for the newest or the largest files.
  return { field, descending: field === current.field ? !current.descending : field !== 'name' };
}
