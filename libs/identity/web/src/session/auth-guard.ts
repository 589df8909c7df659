import { inject } from '@angular/core';
import { type CanActivateChildFn, Router } from '@angular/router';
import { AuthSession } from './auth-session';

/** Lets people with a session in, sends others to sign in and back. Unreachable is not signed out: the page says so. */
export const authGuard: CanActivateChildFn = async ({ routeConfig }, { url }) => {
  const router = inject(Router);
  // The page's code is on its way meanwhile. The router asks for it once more, and reports what fails.
  void Promise.resolve(routeConfig?.loadComponent?.()).catch(() => undefined);
  if (await inject(AuthSession).canActivate()) return true;
  return router.createUrlTree(['/login'], { queryParams: url === '/' ? {} : { return_to: url } });
};
