import { inject, Injector, runInInjectionContext } from '@angular/core';
import type { Routes, UrlTree } from '@angular/router';

export const usageRoutes: Routes = [
  {
    path: 'usage',
    title: () => $localize`Usage`,
    loadComponent: () => import('./page/usage-page').then((page) => page.UsagePage),
  },
  { path: 'usage/estimate', canActivate: [openEstimate], children: [] },
];

/** Leads to the estimator with the usage of this month. */
async function openEstimate(): Promise<UrlTree> {
  const injector = inject(Injector);
  const { estimateOfUsage } = await import('./estimate/estimate-of-usage');
  return runInInjectionContext(injector, estimateOfUsage);
}
