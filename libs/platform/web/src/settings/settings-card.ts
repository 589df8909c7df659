import { InjectionToken, type Type } from '@angular/core';

/** A card on the settings page, provided by another domain. */
export interface SettingsCard {
  readonly id: string;
  readonly load: () => Promise<Type<unknown>>;
}

/** Multi provider for all domains, in display order. */
export const SETTINGS_CARDS = new InjectionToken<readonly SettingsCard[]>('settings cards');
