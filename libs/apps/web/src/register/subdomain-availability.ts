import { inject, resource, type ResourceRef } from '@angular/core';
import type { SubdomainAvailability } from '@homeport/apps/contracts';
import { AppsClient } from '../client/apps-client';

const DEBOUNCE_MS = 300;

/**
 * Asks the API about an address after a pause in typing; undefined until it responds. This is only a hint, so a failed
 * request is ignored. Requires an injection context.
 */
export function subdomainAvailability(
  subdomain: () => string | undefined,
): ResourceRef<SubdomainAvailability | undefined> {
  const client = inject(AppsClient);
  return resource({
    params: subdomain,
    loader: async ({ params, abortSignal }) => {
      await delay(DEBOUNCE_MS, abortSignal);
      return client.availability(params, abortSignal).catch(() => undefined);
    },
  });
}

function delay(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    });
  });
}
