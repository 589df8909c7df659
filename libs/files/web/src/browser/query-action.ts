import { computed, effect, inject } from '@angular/core';
import { toSignal } from '@angular/core/rxjs-interop';
import { ActivatedRoute, Router } from '@angular/router';

/** What an address may ask of a directory: `?do=upload`. */
const QUERY_ACTIONS = ['new-file', 'upload'] as const;
export type QueryAction = (typeof QUERY_ACTIONS)[number];

/**
 * Begins what the address asks for, once: it is taken out of the address first, so that coming back or loading again
 * asks no more. Call it in an injection context.
 */
export function runQueryAction(isReady: () => boolean, begin: (work: QueryAction) => void): void {
  const route = inject(ActivatedRoute);
  const router = inject(Router);
  const query = toSignal(route.queryParamMap);
  const work = computed(() => (isReady() ? QUERY_ACTIONS.find((each) => each === query()?.get('do')) : undefined));
  effect(() => {
    const asked = work();
    if (!asked) return;
    const without = { relativeTo: route, queryParams: { do: null }, replaceUrl: true } as const;
    void router.navigate([], { ...without, queryParamsHandling: 'merge' }).then(() => begin(asked));
  });
}
