import type { Routes } from '@angular/router';
import { authGuard } from './session/auth-guard';

const loadSignIn = () => import('./sign-in/sign-in').then((page) => page.SignIn);

/** One page on two paths without a redirect: the guard uses `/login`, the public URL is `/signin`. */
export const identityRoutes: Routes = [
  { path: 'signin', title: () => $localize`Sign in`, loadComponent: loadSignIn },
  { path: 'login', title: () => $localize`Sign in`, loadComponent: loadSignIn },
  {
    path: 'settings',
    title: () => $localize`Settings`,
    canActivate: [authGuard],
    loadComponent: () => import('./settings/settings').then((page) => page.Settings),
  },
  {
    path: 'settings/tokens',
    title: () => $localize`Access tokens`,
    canActivate: [authGuard],
    loadComponent: () => import('./tokens/access-tokens').then((page) => page.AccessTokens),
  },
];
