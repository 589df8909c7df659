import { type EnvironmentProviders, makeEnvironmentProviders } from '@angular/core';
import { SIGN_OUT_GUARDS } from '@homeport/identity/web';
import { PALETTE_SOURCES } from '@homeport/platform/web';

/** Registers the palette source and the sign-out guard of apps. */
export function provideApps(): EnvironmentProviders {
  return makeEnvironmentProviders([
    {
      provide: PALETTE_SOURCES,
      multi: true,
      useValue: async () => (await import('./palette/app-search')).AppSearch,
    },
    {
      provide: SIGN_OUT_GUARDS,
      multi: true,
      useValue: async () => (await import('./deploys/upload/deploy-sign-out-guard')).DeploySignOutGuard,
    },
  ]);
}
