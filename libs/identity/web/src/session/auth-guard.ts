import { inject } from '@angular/core';
import { type CanActivateChildFn, Router } from '@angular/router';
import { AuthSession } from './auth-session';

/**
 * Requires a session; redirects to the sign-in page with a return path. Admits the user while the session cannot be
 * checked; a banner shows that.
 */
export const authGuard: CanActivateChildFn = async ({ routeConfig }, { url }) => {
  const router = inject(Router);
  // Preloads the page's code during the check. The router loads it again and reports failures.
  void Promise.resolve(routeConfig?.loadComponent?.()).catch(() => undefined);
  const session = inject(AuthSession);
  if (await session.canActivate()) return true;
  const queryParams = { ...(url !== '/' && { return_to: url }), ...(session.hasEnded && { reason: 'expired' }) };
  return router.createUrlTree(['/login'], { queryParams });
};
