import { InjectionToken, type Type } from '@angular/core';

/** A card on the settings page that another domain has to offer. */
export interface SettingsCard {
  readonly id: string;
  readonly load: () => Promise<Type<unknown>>;
}

/** Provided many times, by the domains, in the order they are shown. */
export const SETTINGS_CARDS = new InjectionToken<readonly SettingsCard[]>('settings cards');
