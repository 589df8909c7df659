import type { Routes } from '@angular/router';
import { signedIn } from './session/signed-in';

const loadSignIn = () => import('./sign-in/sign-in').then((page) => page.SignIn);

/** One page on two paths, not a redirect: the guard names `/login`, the public address is `/signin`. */
export const identityRoutes: Routes = [
  { path: 'signin', title: () => $localize`Sign in`, loadComponent: loadSignIn },
  { path: 'login', title: () => $localize`Sign in`, loadComponent: loadSignIn },
  {
    path: 'settings',
    title: () => $localize`Settings`,
    canActivate: [signedIn],
    loadComponent: () => import('./settings/settings').then((page) => page.Settings),
  },
];
