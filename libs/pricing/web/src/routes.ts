import type { Routes } from '@angular/router';

export const pricingRoutes: Routes = [
  {
    path: 'pricing',
    title: () => $localize`Pricing`,
    loadComponent: () => import('./page/pricing-page').then((page) => page.PricingPage),
  },
];
