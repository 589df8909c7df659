import { InjectionToken, type Type } from '@angular/core';

/** A section of the home page, provided by another domain. It has its own heading and its four states. */
export interface HomeSection {
  readonly id: string;
  readonly load: () => Promise<Type<unknown>>;
}

/** Multi provider for all domains, in display order. */
export const HOME_SECTIONS = new InjectionToken<readonly HomeSection[]>('home sections');
