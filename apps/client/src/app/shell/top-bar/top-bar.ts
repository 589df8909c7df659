import { NgComponentOutlet } from '@angular/common';
import { Component, computed, inject, resource } from '@angular/core';
import { RouterLink } from '@angular/router';
import { AuthSession } from '@homeport/identity/web';
import {
  Activities,
  BUILD_INFO,
  Icon,
  type IconName,
  Key,
  PageBreadcrumbs,
  Palette,
  PanelButton,
  PathBar,
  Theme,
  type ThemeChoice,
} from '@homeport/platform/web';
import { ConnectionChip } from './connection-chip';

const THEME_ICONS: Readonly<Record<ThemeChoice, IconName>> = { system: 'monitor', dark: 'moon', light: 'sun' };

/**
 * Breadcrumbs, connection state, activities and global actions. A first-level page has no breadcrumbs: its heading says
 * the same.
 */
@Component({
  selector: 'hp-top-bar',
  imports: [ConnectionChip, Icon, Key, NgComponentOutlet, PanelButton, PathBar, RouterLink],
  templateUrl: './top-bar.html',
  styleUrl: './top-bar.css',
})
export class TopBar {
  readonly #session = inject(AuthSession);
  readonly #theme = inject(Theme);
  readonly #activities = inject(Activities);
  protected readonly palette = inject(Palette);
  protected readonly product = BUILD_INFO.name;
  protected readonly steps = inject(PageBreadcrumbs).steps;
  protected readonly themeIcon = computed(() => THEME_ICONS[this.#theme.choice()]);
  protected readonly person = computed(() => {
    const user = this.#session.user();
    const name = user && (user.name ?? user.email ?? user.sub);
    return name ? { name, label: $localize`Account of ${name}:name:` } : undefined;
  });
  /** Loaded with the first activity: most visits have none. */
  protected readonly activitiesButton = resource({
    params: () => this.#activities.hasStarted() || undefined,
    loader: async () => (await import('@homeport/platform/web/on-demand')).ActivitiesButton,
  });
  protected readonly loadThemeMenu = async () => (await import('./theme-menu')).ThemeMenu;
  protected readonly loadUserMenu = async () => (await import('./user-menu')).UserMenu;
}
