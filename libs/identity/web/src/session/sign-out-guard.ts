import { InjectionToken, type Injector, type Type } from '@angular/core';

/** Checks before a sign-out whether data would be lost. */
export interface SignOutGuard {
  /** A sentence that says which data would be lost; undefined when none would. */
  warning(): Promise<string | undefined>;
}

/** Multi token for the domains that hold data the server does not have. */
export const SIGN_OUT_GUARDS = new InjectionToken<readonly (() => Promise<Type<SignOutGuard>>)[]>('sign-out-guards');

/** Collects the warnings of all guards. Never rejects: a guard that fails warns too. */
export async function signOutWarnings(injector: Injector): Promise<readonly string[]> {
  const checks = injector.get(SIGN_OUT_GUARDS, []).map(async (load) => injector.get(await load()).warning());
  try {
    return (await Promise.all(checks)).filter((each) => each !== undefined);
  } catch {
    return [$localize`Could not check whether all your changes are saved.`];
  }
}
