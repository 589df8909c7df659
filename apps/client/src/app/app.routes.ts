import type { Routes } from '@angular/router';
import { appsRoutes } from '@homeport/apps/web';
import { filesRoutes } from '@homeport/files/web';
import { identityRoutes, authGuard } from '@homeport/identity/web';
import { pricingRoutes } from '@homeport/pricing/web';
import { usageRoutes } from '@homeport/usage/web';
import { devRoutes } from './dev/dev-routes';
import { PageUnavailable } from './page-unavailable/page-unavailable';

export const routes: Routes = [
  ...identityRoutes,
  ...pricingRoutes,
  { path: '', canActivateChild: [authGuard], children: [...filesRoutes, ...appsRoutes, ...usageRoutes] },
  ...devRoutes,
  { path: 'unavailable', title: () => $localize`Not available`, component: PageUnavailable },
  {
    path: '**',
    title: () => $localize`Page not found`,
    loadComponent: () => import('./not-found/not-found').then((page) => page.NotFound),
  },
];
