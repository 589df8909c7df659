import type { Routes } from '@angular/router';
import { DomainsPage } from './domains-page';

export const domainRoutes: Routes = [
  { path: '', title: () => $localize`Domains`, component: DomainsPage },
  {
    path: ':id',
    title: () => $localize`Domain`,
    loadComponent: () => import('./domain-page').then((page) => page.DomainPage),
  },
];
