import { type EnvironmentProviders, makeEnvironmentProviders, provideAppInitializer } from '@angular/core';
import { SIGN_OUT_GUARDS } from '@homeport/identity/web';
import { PALETTE_SOURCES, SETTINGS_CARDS } from '@homeport/platform/web';
import { resumeSaves } from './saves/resume-saves';

/** Registers the files features in the client: search, the settings card, queued saves and the sign-out guards. */
export function provideFiles(): EnvironmentProviders {
  return makeEnvironmentProviders([
    provideAppInitializer(resumeSaves),
    {
      provide: PALETTE_SOURCES,
      multi: true,
      useValue: async () => (await import('./palette/file-search')).FileSearch,
    },
    {
      provide: SETTINGS_CARDS,
      multi: true,
      useValue: { id: 'storage', load: async () => (await import('./offline/storage-card')).StorageCard },
    },
    {
      provide: SIGN_OUT_GUARDS,
      multi: true,
      useValue: async () => (await import('./drafts/draft-sign-out-guard')).DraftSignOutGuard,
    },
    {
      provide: SIGN_OUT_GUARDS,
      multi: true,
      useValue: async () => (await import('./saves/save-sign-out-guard')).SaveSignOutGuard,
    },
    {
      provide: SIGN_OUT_GUARDS,
      multi: true,
      useValue: async () => (await import('./browser/actions/deletion-sign-out-guard')).DeletionSignOutGuard,
    },
    {
      provide: SIGN_OUT_GUARDS,
      multi: true,
      useValue: async () => (await import('./uploads/upload-sign-out-guard')).UploadSignOutGuard,
    },
  ]);
}
