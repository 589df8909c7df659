import { registerLocaleData } from '@angular/common';
import german from '@angular/common/locales/de';
import { useCatalogue, useServerMessages } from '@homeport/platform/web';
import catalogue from './de.json';
import serverWords from './de.server.json';

/** German: its words, and its rules for plurals. */
export function useGerman(): void {
  registerLocaleData(german);
  useCatalogue(catalogue);
  useServerMessages(serverWords);
}
