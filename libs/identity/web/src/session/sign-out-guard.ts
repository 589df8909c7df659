import { InjectionToken, type Type } from '@angular/core';

/** Looks before somebody signs out: whether something of theirs would be lost. */
export interface SignOutGuard {
  /** What would be lost, in a sentence; undefined when nothing would. */
  warning(): Promise<string | undefined>;
}

/** Provided many times, by the domains that keep what the server does not have. */
export const SIGN_OUT_GUARDS = new InjectionToken<readonly (() => Promise<Type<SignOutGuard>>)[]>('sign-out-guards');
