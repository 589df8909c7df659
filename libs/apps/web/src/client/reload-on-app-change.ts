import { DestroyRef, inject, Injector } from '@angular/core';

/** The loading page comes first. */
const LOAD_DELAY_MS = 1_000;

/**
 * Calls `reload` when an app has changed. The code for live changes is loaded after the page. Requires an injection
 * context.
 *
 * @param isShown whether the page shows the app.
 */
export function reloadOnAppChange(reload: () => void, isShown: (appId: string) => boolean = () => true): void {
  const injector = inject(Injector);
  const destroyed = inject(DestroyRef);
  const watch = async (): Promise<void> => {
    const { AppChanges } = await import('./app-changes');
    if (destroyed.destroyed) return;
    const stop = injector.get(AppChanges).watch((appId) => {
      if (appId === undefined || isShown(appId)) reload();
    });
    destroyed.onDestroy(stop);
  };
  // When loading fails, the next page tries again.
  const timer = setTimeout(() => void watch().catch(() => undefined), LOAD_DELAY_MS);
  destroyed.onDestroy(() => clearTimeout(timer));
}
