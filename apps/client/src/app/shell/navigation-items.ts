import type { IconName } from '@homeport/platform/web';

export interface NavigationItem {
  readonly link: string;
  readonly label: string;
  readonly icon: IconName;
  /** First path segments of the pages that belong to it. */
  readonly segments: readonly string[];
}

/** The main areas of the product, for the navigation and the palette. */
export function navigationItems(): readonly NavigationItem[] {
  return [
    { link: '/', label: $localize`Home`, icon: 'home', segments: [''] },
    { link: '/files', label: $localize`Files`, icon: 'folder', segments: ['files', 'view', 'edit', 'open', 'share'] },
    { link: '/apps', label: $localize`Apps`, icon: 'apps', segments: ['apps'] },
    { link: '/usage', label: $localize`Usage`, icon: 'chart', segments: ['usage'] },
    { link: '/pricing', label: $localize`Pricing`, icon: 'tag', segments: ['pricing'] },
    { link: '/settings', label: $localize`Settings`, icon: 'settings', segments: ['settings'] },
  ];
}
