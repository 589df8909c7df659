import { computed, effect, inject, linkedSignal, type Signal, type WritableSignal } from '@angular/core';
import { toSignal } from '@angular/core/rxjs-interop';
import { ActivatedRoute, Router } from '@angular/router';
import { parseSortOrder, sortParameter, type SortOrder } from '../tree/sort-rows';

/** How long after the last change of the filter or sort order the URL is updated. */
const URL_UPDATE_DELAY_MS = 250;

export interface ViewOptions {
  readonly order: WritableSignal<SortOrder>;
  readonly filter: WritableSignal<string>;
  /** The query parameters for links to other directories, which keep the sort order. */
  readonly query: Signal<{ readonly sort: string | undefined }>;
}

/**
 * The sort order and the filter of a directory. They are in the URL, so that returning to it restores them. Requires an
 * injection context.
 */
export function viewOptions(): ViewOptions {
  const route = inject(ActivatedRoute);
  const router = inject(Router);
  const url = toSignal(route.queryParamMap);
  const order = linkedSignal(() => parseSortOrder(url()?.get('sort')));
  const filter = linkedSignal(() => url()?.get('filter') ?? '');
  effect((onCleanup) => {
    const queryParams = { sort: sortParameter(order()), filter: filter() || undefined };
    const update = (): void => {
      const query = url();
      const isCurrent =
        (query?.get('sort') ?? undefined) === queryParams.sort &&
        (query?.get('filter') ?? undefined) === queryParams.filter;
      if (!isCurrent) void router.navigate([], { relativeTo: route, queryParams, replaceUrl: true });
    };
    const timer = setTimeout(update, URL_UPDATE_DELAY_MS);
    onCleanup(() => clearTimeout(timer));
  });
  return { order, filter, query: computed(() => ({ sort: sortParameter(order()) })) };
}
