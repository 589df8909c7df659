import type { Routes } from '@angular/router';
import { DomainsPage } from './domains-page';

/** A default export, because the routes of the first page load this file with the fewest bytes so. */
const domainRoutes: Routes = [
  { path: '', title: () => $localize`Domains`, component: DomainsPage },
  {
    path: ':id',
    title: () => $localize`Domain`,
    loadComponent: () => import('./domain-page').then((page) => page.DomainPage),
  },
];
export default domainRoutes;
