import type { Routes } from '@angular/router';

export const appsRoutes: Routes = [
  {
    path: 'apps',
    title: () => $localize`Apps`,
    loadComponent: () => import('./list/apps-page').then((page) => page.AppsPage),
  },
  { path: 'apps/domains', loadChildren: () => import('./domains/domain-routes') },
  {
    path: 'apps/:id',
    title: () => $localize`App`,
    loadComponent: () => import('./app/app-page').then((page) => page.AppPage),
    children: [
      { path: '', loadComponent: () => import('./deploys/app-overview').then((page) => page.AppOverview) },
      { path: 'logs', loadComponent: () => import('./logs/logs-page').then((page) => page.LogsPage) },
      {
        path: 'environment',
        loadComponent: () => import('./environment/environment-page').then((page) => page.EnvironmentPage),
      },
      { path: 'settings', loadComponent: () => import('./app/app-settings').then((page) => page.AppSettings) },
    ],
  },
];
