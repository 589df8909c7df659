import { ApplicationRef, inject, isDevMode } from '@angular/core';
import type { SwRegistrationOptions } from '@angular/service-worker';
import { debounceTime, filter, merge, take, timer } from 'rxjs';

/** The page counts as idle after this time without activity. */
const IDLE_MS = 1_000;
/** The service worker is registered after this time even if the page is never idle. */
const REGISTRATION_TIMEOUT_MS = 30_000;

/**
 * Registers the service worker once the first page is complete: its downloads for later would slow down the page's own
 * requests.
 */
export function serviceWorkerRegistration(): SwRegistrationOptions {
  const { isStable } = inject(ApplicationRef);
  const idle = isStable.pipe(debounceTime(IDLE_MS), filter(Boolean));
  return {
    enabled: !isDevMode(),
    registrationStrategy: () => merge(idle, timer(REGISTRATION_TIMEOUT_MS)).pipe(take(1)),
  };
}
