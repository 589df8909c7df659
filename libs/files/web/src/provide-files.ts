import { type EnvironmentProviders, makeEnvironmentProviders } from '@angular/core';
import { FAREWELLS } from '@homeport/identity/web';
import { PALETTE_SOURCES, SETTINGS_CARDS } from '@homeport/platform/web';

/** What files have to offer to the rest of the client. */
export function provideFiles(): EnvironmentProviders {
  return makeEnvironmentProviders([
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
      provide: FAREWELLS,
      multi: true,
      useValue: async () => (await import('./drafts/draft-farewell')).DraftFarewell,
    },
    {
      provide: FAREWELLS,
      multi: true,
      useValue: async () => (await import('./browser/actions/deletion-farewell')).DeletionFarewell,
    },
    {
      provide: FAREWELLS,
      multi: true,
      useValue: async () => (await import('./uploads/upload-farewell')).UploadFarewell,
    },
  ]);
}
