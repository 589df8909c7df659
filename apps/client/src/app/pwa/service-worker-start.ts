import { ApplicationRef, DOCUMENT, EnvironmentInjector, inject, isDevMode } from '@angular/core';
import { debounceTime, filter, merge, take, timer } from 'rxjs';

/** The page counts as idle after this time without activity. */
const IDLE_MS = 1_000;
/** The service worker is started after this time even if the page is never idle. */
const START_TIMEOUT_MS = 30_000;

/**
 * Starts the service worker once the first page is complete: the worker's downloads for later, and the code that
 * follows its updates, would slow down the page's own requests. Requires an injection context.
 */
export function startServiceWorkerWhenIdle(): void {
  if (isDevMode() || !inject(DOCUMENT).defaultView?.navigator.serviceWorker) return;
  const injector = inject(EnvironmentInjector);
  const idle = inject(ApplicationRef).isStable.pipe(debounceTime(IDLE_MS), filter(Boolean));
  merge(idle, timer(START_TIMEOUT_MS))
    .pipe(take(1))
    // When loading fails, the next page starts it.
    .subscribe(() => void start(injector).catch(() => undefined));
}

async function start(injector: EnvironmentInjector): Promise<void> {
  const { startServiceWorker } = await import('./service-worker');
  startServiceWorker(injector);
}
