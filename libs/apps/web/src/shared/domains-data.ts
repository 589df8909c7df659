import { inject } from '@angular/core';
import type { DomainList } from '@homeport/apps/contracts';
import { AuthSession } from '@homeport/identity/web';
import { type ScreenData, screenData } from '@homeport/platform/web';
import { DomainsClient } from '../client/domains-client';

/** Whether domains for all apps can be added. Answers of earlier versions do not tell; then the server decides. */
export function offersBaseDomains(list: DomainList | undefined): boolean {
  return list?.offered_kinds?.includes('base') ?? true;
}

/** Loads all domains of the organization, with their prices. Requires an injection context. */
export function domainsData(): ScreenData<DomainList> {
  const client = inject(DomainsClient);
  const session = inject(AuthSession);
  return screenData({ key: () => session.userScope(), load: (_scope, signal) => client.list(undefined, signal) });
}
