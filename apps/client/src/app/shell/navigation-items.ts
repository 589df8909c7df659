import type { IconName } from '@homeport/platform/web';

export interface NavigationItem {
  readonly link: string;
  readonly label: string;
  readonly icon: IconName;
  /** First segments of the addresses that belong to it. */
  readonly segments: readonly string[];
}

/** The parts of the product, as the rail and the palette list them. */
export function navigationItems(): readonly NavigationItem[] {
  return [
    { link: '/', label: $localize`Home`, icon: 'home', segments: [''] },
    { link: '/files', label: $localize`Files`, icon: 'folder', segments: ['files', 'view', 'edit', 'open', 'share'] },
    { link: '/apps', label: $localize`Apps`, icon: 'apps', segments: ['apps'] },
    { link: '/pricing', label: $localize`Pricing`, icon: 'tag', segments: ['pricing'] },
    { link: '/settings', label: $localize`Settings`, icon: 'settings', segments: ['settings'] },
  ];
}
