import type { Routes } from '@angular/router';

export const appsRoutes: Routes = [
  { path: 'apps', title: 'Apps', loadComponent: () => import('./list/apps-page').then((page) => page.AppsPage) },
  { path: 'apps/:id', title: 'App', loadComponent: () => import('./app/app-page').then((page) => page.AppPage) },
];
