import type { Location } from '@angular/common';
import type { DirectoryView } from '../browser/directory-views';
import { parseSortOrder, sortParameter } from '../tree/sort-rows';

/** What the history entry of a viewed file stores of the list that it was opened from. */
interface ListViewState {
  readonly listSort?: unknown;
  readonly listFilter?: unknown;
}

/** Stores the view of the list in the current history entry, which survives a reload and is not part of the URL. */
export function storeView(location: Location, { order, filter }: DirectoryView): void {
  const state = { ...(location.getState() as object | null), listSort: sortParameter(order) ?? '', listFilter: filter };
  location.replaceState(location.path(true), '', state);
}

/** The view that `storeView` has stored; undefined for a file that was not opened from a list. */
export function storedView(state: unknown): DirectoryView | undefined {
  const { listSort, listFilter } = (state ?? {}) as ListViewState;
  if (typeof listSort !== 'string' || typeof listFilter !== 'string') return undefined;
  return { order: parseSortOrder(listSort), filter: listFilter };
}
