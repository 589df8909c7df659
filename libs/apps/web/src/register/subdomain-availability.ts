import { inject, resource, type ResourceRef } from '@angular/core';
import type { SubdomainAvailability } from '@homeport/apps/contracts';
import { delay } from '@homeport/platform/web';
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
