import { inject } from '@angular/core';
import { type CanActivateChildFn, Router } from '@angular/router';
import { AuthSession } from './auth-session';

/** Lets people with a session in, sends others to sign in and back. Unreachable is not signed out: the page says so. */
export const signedIn: CanActivateChildFn = async (_route, { url }) => {
  const router = inject(Router);
  if (await inject(AuthSession).admits()) return true;
  return router.createUrlTree(['/login'], { queryParams: url === '/' ? {} : { return_to: url } });
};
