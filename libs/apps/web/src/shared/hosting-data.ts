import { inject } from '@angular/core';
import type { Hosting } from '@homeport/apps/contracts';
import { AuthSession } from '@homeport/identity/web';
import { type ScreenData, screenData } from '@homeport/platform/web';
import { AppsClient } from '../client/apps-client';

/** Loads the hosting settings; a screen hides the parts it cannot load. Requires an injection context. */
export function hostingData(): ScreenData<Hosting> {
  const client = inject(AppsClient);
  const session = inject(AuthSession);
  return screenData({ key: () => session.userScope(), load: (_scope, signal) => client.hosting(signal) });
}
