import { Component, computed, DestroyRef, effect, inject, signal } from '@angular/core';
import { toSignal } from '@angular/core/rxjs-interop';
import { Title } from '@angular/platform-browser';
import { ActivatedRoute, NavigationEnd, Router, RouterLink, RouterOutlet } from '@angular/router';
import type { App } from '@homeport/apps/contracts';
import {
  BUILD_INFO,
  CopyButton,
  DropZone,
  EmptyState,
  ErrorPanel,
  Icon,
  pageBreadcrumbs,
  type PickedFile,
  Skeleton,
  StaleNotice,
} from '@homeport/platform/web';
import { filter, map } from 'rxjs';
import { DeployPrompt } from '../deploys/upload/deploy-prompt';
import { DeployStarter } from '../deploys/upload/deploy-starter';
import { AppStatusLine } from '../shared/app-status-line';
import { hostOf } from '../shared/host-of';
import { NoOrganization } from '../shared/no-organization';
import { ShownApp } from './shown-app';

/** The frame of one app: name, status, address, and the tabs with its releases and settings. */
@Component({
  selector: 'hp-app-page',
  imports: [
    AppStatusLine,
    CopyButton,
    DropZone,
    EmptyState,
    ErrorPanel,
    Icon,
    NoOrganization,
    RouterLink,
    RouterOutlet,
    Skeleton,
    StaleNotice,
  ],
  providers: [ShownApp],
  templateUrl: './app-page.html',
  styleUrl: './app-page.css',
})
export class AppPage {
  readonly #router = inject(Router);
  readonly #route = inject(ActivatedRoute);
  readonly #shown = inject(ShownApp);
  readonly #destroyRef = inject(DestroyRef);
  readonly #prompt = inject(DeployPrompt);
  readonly #starter = inject(DeployStarter);
  /** The previous page passes the name, so the heading is shown before the API responds. */
  readonly #expected: unknown = this.#router.currentNavigation()?.extras.state?.['name'];
  readonly #navigations = toSignal(
    this.#router.events.pipe(
      filter((event) => event instanceof NavigationEnd),
      map(({ id }) => id),
    ),
  );

  protected readonly app = this.#shown.data;
  protected readonly isAbsent = this.#shown.isAbsent;
  /** The app, while it exists. */
  protected readonly existing = computed(() => (this.isAbsent() ? undefined : this.app.value()));
  protected readonly host = computed(() => hostOf(this.existing()?.url ?? ''));
  /** Why the files dropped last were rejected. */
  protected readonly refusal = signal('');
  protected readonly withoutOrganization = computed(
    () => this.app.problem()?.code === 'identity.organization-required',
  );
  protected readonly heading = computed(() => {
    if (this.isAbsent()) return $localize`App not found`;
    return this.app.value()?.name ?? (typeof this.#expected === 'string' ? this.#expected : $localize`App`);
  });
  /** The path of the open tab. */
  protected readonly tab = computed(() => {
    this.#navigations();
    return this.#route.snapshot.firstChild?.routeConfig?.path;
  });

  constructor() {
    pageBreadcrumbs(() => [{ label: $localize`Apps`, link: ['/apps'] }, { label: this.heading() }]);
    const title = inject(Title);
    effect(() => {
      // The router sets the title of the route at each navigation, also between the tabs.
      this.#navigations();
      title.setTitle(`${this.heading()} · ${BUILD_INFO.name}`);
    });
  }

  protected async deploy(app: App): Promise<void> {
    this.refusal.set('');
    const isStarted = await this.#prompt.ask(app, this.#shown.hosting);
    if (isStarted && !this.#destroyRef.destroyed) await this.#showReleases(app);
  }

  /** Deploys dropped files without a question: a deploy that would take the site down is held back. */
  protected async take(app: App, picked: readonly PickedFile[]): Promise<void> {
    const options = { activate: true, note: '', limits: this.#shown.hosting.value()?.deploy_limits };
    const refusal = await this.#starter.start(app, picked, options);
    this.refusal.set(refusal ?? '');
    if (refusal === undefined && !this.#destroyRef.destroyed) await this.#showReleases(app);
  }

  async #showReleases({ id }: App): Promise<void> {
    await this.#router.navigate(['/apps', id]);
  }
}
