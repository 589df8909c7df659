import { ApplicationRef, inject, isDevMode } from '@angular/core';
import type { SwRegistrationOptions } from '@angular/service-worker';
import { debounceTime, filter, merge, take, timer } from 'rxjs';

/** So long nothing is on its way to the page. */
const IDLE_MS = 1_000;
/** Then the service worker comes whatever the page does. */
const REGISTRATION_TIMEOUT_MS = 30_000;

/**
 * Starts the service worker once the first page stands: from then on it takes the page's requests, beside everything it
 * loads for later, and nobody is to wait for that.
 */
export function serviceWorkerRegistration(): SwRegistrationOptions {
  const { isStable } = inject(ApplicationRef);
  const idle = isStable.pipe(debounceTime(IDLE_MS), filter(Boolean));
  return {
    enabled: !isDevMode(),
    registrationStrategy: () => merge(idle, timer(REGISTRATION_TIMEOUT_MS)).pipe(take(1)),
  };
}
