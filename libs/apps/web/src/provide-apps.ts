import { type EnvironmentProviders, makeEnvironmentProviders } from '@angular/core';
import { SIGN_OUT_GUARDS } from '@homeport/identity/web';
import { HOME_SECTIONS, PALETTE_SOURCES } from '@homeport/platform/web';

/** Registers the palette source, the home section and the sign-out guard of apps. */
export function provideApps(): EnvironmentProviders {
  return makeEnvironmentProviders([
    {
      provide: PALETTE_SOURCES,
      multi: true,
      useValue: async () => (await import('./palette/app-search')).AppSearch,
    },
    {
      provide: HOME_SECTIONS,
      multi: true,
      useValue: { id: 'apps', load: async () => (await import('./home/home-apps')).HomeApps },
    },
    {
      provide: SIGN_OUT_GUARDS,
      multi: true,
      useValue: async () => (await import('./deploys/upload/deploy-sign-out-guard')).DeploySignOutGuard,
    },
  ]);
}
