import { registerLocaleData } from '@angular/common';
import german from '@angular/common/locales/de';
import { useCatalogue, useServerMessages } from '@homeport/platform/web';
import catalogue from './de.json';
import serverWords from './de.server.json';

/** Activates German: locale data, UI texts and server messages. */
export function useGerman(): void {
  registerLocaleData(german);
  useCatalogue(catalogue);
  useServerMessages(serverWords);
}
