import { createEnvironmentInjector, type EnvironmentInjector } from '@angular/core';
import { provideServiceWorker } from '@angular/service-worker';
import { SCRIPT, ServiceWorkerRegistration } from './service-worker-registration';
import { Updates } from './updates';

/** Registers the service worker and follows its updates. Loaded on demand, with Angular's code for it. */
export function startServiceWorker(parent: EnvironmentInjector): void {
  // Angular registers the worker only when the app starts, so `ServiceWorkerRegistration` does it.
  const injector = createEnvironmentInjector(
    [provideServiceWorker(SCRIPT), ServiceWorkerRegistration, Updates],
    parent,
  );
  injector.get(ServiceWorkerRegistration);
  injector.get(Updates);
}
