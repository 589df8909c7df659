import { computed, effect, inject } from '@angular/core';
import { toSignal } from '@angular/core/rxjs-interop';
import { ActivatedRoute, Router } from '@angular/router';

/** The actions a URL can start in a directory: `?do=upload`. */
const QUERY_ACTIONS = ['new-file', 'new-folder', 'upload'] as const;
export type QueryAction = (typeof QUERY_ACTIONS)[number];

/**
 * Runs the action in the URL once. The parameter is removed from the URL first, so that going back or reloading does
 * not run the action again. Call it in an injection context.
 */
export function runQueryAction(isReady: () => boolean, run: (action: QueryAction) => void): void {
  const route = inject(ActivatedRoute);
  const router = inject(Router);
  const query = toSignal(route.queryParamMap);
  const action = computed(() => (isReady() ? QUERY_ACTIONS.find((each) => each === query()?.get('do')) : undefined));
  effect(() => {
    const pending = action();
    if (!pending) return;
    const without = { relativeTo: route, queryParams: { do: null }, replaceUrl: true } as const;
    void router.navigate([], { ...without, queryParamsHandling: 'merge' }).then(() => run(pending));
  });
}
