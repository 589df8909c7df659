import type { Routes } from '@angular/router';
import { authGuard } from './session/auth-guard';

const loadSignIn = () => import('./sign-in/sign-in').then((page) => page.SignIn);

/** One page on two paths without a redirect: the guard uses `/login`, the public URL is `/signin`. */
export const identityRoutes: Routes = [
  { path: 'signin', title: () => $localize`Sign in`, loadComponent: loadSignIn },
  { path: 'login', title: () => $localize`Sign in`, loadComponent: loadSignIn },
  {
    path: 'settings',
    canActivate: [authGuard],
    loadChildren: () => import('./settings/settings-routes').then((pages) => pages.settingsRoutes),
  },
];
