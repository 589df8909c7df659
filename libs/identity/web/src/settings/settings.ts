import { Component, computed, inject } from '@angular/core';
import { toSignal } from '@angular/core/rxjs-interop';
import { ActivatedRoute, NavigationEnd, Router, RouterLink, RouterOutlet } from '@angular/router';
import { BUILD_INFO, PageHeader, pageBreadcrumbs } from '@homeport/platform/web';
import { filter } from 'rxjs';

const sections = () => [
  { path: '', label: $localize`Account` },
  { path: 'appearance', label: $localize`Appearance` },
  { path: 'storage', label: $localize`Offline` },
  { path: 'tokens', label: $localize`Tokens` },
];

/** The frame of the settings: the sections, beside or above the open one, and facts about the product. */
@Component({
  selector: 'hp-settings',
  imports: [PageHeader, RouterLink, RouterOutlet],
  templateUrl: './settings.html',
  styleUrl: './settings.css',
})
export class Settings {
  readonly #route = inject(ActivatedRoute);
  readonly #navigations = toSignal(inject(Router).events.pipe(filter((event) => event instanceof NavigationEnd)));
  readonly #path = computed(() => {
    this.#navigations();
    return this.#route.snapshot.firstChild?.routeConfig?.path ?? '';
  });
  readonly #sections = sections();
  protected readonly sections = computed(() =>
    this.#sections.map(({ path, label }) => ({ path: `/settings/${path}`, label, isOpen: path === this.#path() })),
  );
  protected readonly build = BUILD_INFO;

  constructor() {
    pageBreadcrumbs(() => {
      const settings = $localize`Settings`;
      const open = this.sections().find(({ isOpen }) => isOpen);
      return !open || this.#path() === ''
        ? [{ label: settings }]
        : [{ label: settings, link: ['/settings'] }, { label: open.label }];
    });
  }
}
