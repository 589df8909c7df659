import { DestroyRef, inject, Injector } from '@angular/core';
import type { LiveChange } from './live-changes';

/** The loading page comes first. */
const LOAD_DELAY_MS = 1_000;

/**
 * Calls `reload` when an app has changed. Requires an injection context.
 *
 * @param isShown whether the page shows the app.
 */
export function reloadOnAppChange(reload: () => void, isShown: (appId: string) => boolean = () => true): void {
  reloadOnChange('app', reload, isShown);
}

/**
 * Calls `reload` when a domain was changed or checked. Requires an injection context.
 *
 * @param isShown whether the page shows the domain.
 */
export function reloadOnDomainChange(reload: () => void, isShown: (domainId: string) => boolean = () => true): void {
  reloadOnChange('domain', reload, isShown);
}

/** The code for live changes is loaded after the page. */
function reloadOnChange(kind: LiveChange['kind'], reload: () => void, isShown: (id: string) => boolean): void {
  const injector = inject(Injector);
  const destroyed = inject(DestroyRef);
  const watch = async (): Promise<void> => {
    const { LiveChanges } = await import('./live-changes');
    if (destroyed.destroyed) return;
    const stop = injector.get(LiveChanges).watch((change) => {
      if (change === undefined || (change.kind === kind && isShown(change.id))) reload();
    });
    destroyed.onDestroy(stop);
  };
  // When loading fails, the next page tries again.
  const timer = setTimeout(() => void watch().catch(() => undefined), LOAD_DELAY_MS);
  destroyed.onDestroy(() => clearTimeout(timer));
}
