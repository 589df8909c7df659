import { Component, computed, ElementRef, inject, viewChild } from '@angular/core';
import { toSignal } from '@angular/core/rxjs-interop';
import { NavigationEnd, Router, RouterLink, RouterOutlet } from '@angular/router';
import { AuthSession, SessionBanner } from '@homeport/identity/web';
import { BUILD_INFO, Icon, type IconName, Skeleton, ToastList } from '@homeport/platform/web';
import { filter, map } from 'rxjs';
import { focusOnNavigation } from './focus-on-navigation';

interface Place {
  readonly link: string;
  readonly label: string;
  readonly icon: IconName;
  /** First segments of the addresses that belong to it. */
  readonly segments: readonly string[];
}

const PLACES: readonly Place[] = [
  { link: '/', label: 'Home', icon: 'home', segments: [''] },
  { link: '/files', label: 'Files', icon: 'folder', segments: ['files', 'view'] },
  { link: '/apps', label: 'Apps', icon: 'apps', segments: ['apps'] },
  { link: '/pricing', label: 'Pricing', icon: 'tag', segments: ['pricing'] },
  { link: '/settings', label: 'Settings', icon: 'settings', segments: ['settings'] },
];

/** What surrounds every page: the ways to the others, and what concerns all of them. */
@Component({
  selector: 'hp-root',
  imports: [Icon, RouterLink, RouterOutlet, SessionBanner, Skeleton, ToastList],
  templateUrl: './shell.html',
  styleUrl: './shell.css',
  host: { '[class.framed]': 'framed()' },
})
export class Shell {
  readonly #router = inject(Router);
  private readonly main = viewChild.required<ElementRef<HTMLElement>>('main');
  protected readonly session = inject(AuthSession);
  protected readonly name = BUILD_INFO.name;

  protected readonly segment = toSignal(
    this.#router.events.pipe(
      filter((event) => event instanceof NavigationEnd),
      map(({ urlAfterRedirects }) => urlAfterRedirects.split(/[/?#]/)[1] ?? ''),
    ),
  );
  protected readonly places = computed(() =>
    PLACES.map((place) => ({ ...place, current: place.segments.includes(this.segment() ?? '-') })),
  );
  /** Whether the places are shown; until it is known who is there, only the brand is. */
  protected readonly framed = computed(() => ['signed-in', 'unreachable'].includes(this.session.state()));
  protected readonly isSignIn = computed(() => ['login', 'signin'].includes(this.segment() ?? ''));

  constructor() {
    focusOnNavigation();
    void this.session.settled();
  }

  protected skip(event: Event): void {
    // The base address makes "#main" a link to the start page, so the jump is made here.
    event.preventDefault();
    this.main().nativeElement.focus();
  }
}
