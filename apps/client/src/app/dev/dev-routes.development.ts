import type { Routes } from '@angular/router';

export const devRoutes: Routes = [
  { path: 'dev/pieces', title: 'Pieces', loadComponent: () => import('./pieces').then((page) => page.Pieces) },
];
