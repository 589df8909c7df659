import { InjectionToken, type Type } from '@angular/core';

/** Checks before a sign-out whether data would be lost. */
export interface SignOutGuard {
  /** A sentence that says which data would be lost; undefined when none would. */
  warning(): Promise<string | undefined>;
}

/** Multi token for the domains that hold data the server does not have. */
export const SIGN_OUT_GUARDS = new InjectionToken<readonly (() => Promise<Type<SignOutGuard>>)[]>('sign-out-guards');
