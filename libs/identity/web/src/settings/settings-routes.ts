import type { Routes } from '@angular/router';
import { AccountSettings } from './account-settings';
import { AppearanceSettings } from './appearance-settings';
import { Settings } from './settings';
import { StorageSettings } from './storage-settings';

export const settingsRoutes: Routes = [
  {
    path: '',
    component: Settings,
    children: [
      { path: '', title: () => $localize`Settings`, component: AccountSettings },
      { path: 'appearance', title: () => $localize`Appearance`, component: AppearanceSettings },
      { path: 'storage', title: () => $localize`Offline files`, component: StorageSettings },
      {
        path: 'tokens',
        title: () => $localize`Access tokens`,
        loadComponent: () => import('../tokens/access-tokens').then((page) => page.AccessTokens),
      },
    ],
  },
];
