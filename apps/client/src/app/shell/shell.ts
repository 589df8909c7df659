import { Location } from '@angular/common';
import { afterNextRender, Component, computed, ElementRef, inject, Injector, viewChild } from '@angular/core';
import { toSignal } from '@angular/core/rxjs-interop';
import { NavigationEnd, Router, RouterLink, RouterOutlet } from '@angular/router';
import { AuthSession, SessionBanner } from '@homeport/identity/web';
import { BUILD_INFO, Icon, Skeleton, ToastList } from '@homeport/platform/web';
import { filter, map } from 'rxjs';
import { focusOnNavigation } from './focus-on-navigation';
import { globalKeys } from './global-keys';
import { navigationItems } from './navigation-items';
import { TopBar } from './top-bar/top-bar';

/** `waiting`: the session is unknown; nothing is painted that would have to move later. */
type Layout = 'framed' | 'public' | 'waiting';

const SIGN_IN = ['login', 'signin'];

/** The frame of every page: navigation, top bar and messages. */
@Component({
  selector: 'hp-root',
  imports: [Icon, RouterLink, RouterOutlet, SessionBanner, Skeleton, ToastList, TopBar],
  templateUrl: './shell.html',
  // Without styleUrl: `shell.css` is a global style sheet, because styles of components are part of the scripts.
  host: { '[class]': 'layout()' },
})
export class Shell {
  readonly #router = inject(Router);
  private readonly main = viewChild.required<ElementRef<HTMLElement>>('main');
  protected readonly session = inject(AuthSession);
  protected readonly name = BUILD_INFO.name;

  /** The first path segment, also before the first navigation ends. */
  protected readonly segment = toSignal(
    this.#router.events.pipe(
      filter((event) => event instanceof NavigationEnd),
      map(({ urlAfterRedirects }) => firstSegment(urlAfterRedirects)),
    ),
    { initialValue: firstSegment(inject(Location).path()) },
  );
  readonly #items = navigationItems();
  protected readonly navigation = computed(() =>
    this.#items.map((item) => ({ ...item, current: item.segments.includes(this.segment()) })),
  );
  protected readonly isSignIn = computed(() => SIGN_IN.includes(this.segment()));
  protected readonly layout = computed<Layout>(() => {
    const state = this.session.state();
    if (this.isSignIn() || state === 'signed-out') return 'public';
    return this.session.user() || state === 'unreachable' ? 'framed' : 'waiting';
  });

  constructor() {
    focusOnNavigation();
    globalKeys(() => this.layout() === 'framed');
    const injector = inject(Injector);
    // Not needed for the first paint. When loading fails, the browser opens dropped files as usual.
    const load = (): Promise<void> =>
      import('./rejected-drops').then(({ rejectDrops }) => rejectDrops(injector, () => this.layout() === 'framed'));
    afterNextRender(() => void load().catch(() => undefined));
    void this.session.whenResolved();
  }

  protected skip(event: Event): void {
    // Because of the base URL, "#main" would link to the start page, so the jump is made here.
    event.preventDefault();
    this.main().nativeElement.focus();
  }
}

function firstSegment(address: string): string {
  return address.split(/[/?#]/)[1] ?? '';
}
