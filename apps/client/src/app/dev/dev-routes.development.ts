import type { Routes } from '@angular/router';

export const devRoutes: Routes = [
  {
    path: 'dev/ui-gallery',
    title: 'Gallery',
    loadComponent: () => import('./ui-gallery').then((page) => page.UiGallery),
  },
];
