import { Component, computed, effect, inject, input, signal } from '@angular/core';
import { Title } from '@angular/platform-browser';
import { Router, RouterLink } from '@angular/router';
import type { App } from '@homeport/apps/contracts';
import {
  BUILD_INFO,
  CopyButton,
  EmptyState,
  ErrorPanel,
  Icon,
  RelativeTime,
  PageHeader,
  pollWhile,
  Skeleton,
  StaleNotice,
  StatusBadge,
} from '@homeport/platform/web';
import { reloadOnAppChange } from '../client/app-changes';
import { AppsClient } from '../client/apps-client';
import { numberMessage } from '../deploys/deploy-numbers';
import { DeploysSection, type LiveFacts } from '../deploys/deploys-section';
import { deployCountMessage, appTypeLabel } from '../shared/app-messages';
import { appStatus } from '../shared/app-status';
import { hostingData } from '../shared/hosting-data';
import { NoOrganization } from '../shared/no-organization';
import { scopedData } from '../shared/scoped-data';
import { AppDeleter } from './app-deleter';
import { DnsSection } from './dns-section';

/** One app: address, deploys, DNS record and deletion. */
@Component({
  selector: 'hp-app-page',
  imports: [
    CopyButton,
    DeploysSection,
    DnsSection,
    EmptyState,
    ErrorPanel,
    Icon,
    RelativeTime,
    NoOrganization,
    PageHeader,
    RouterLink,
    Skeleton,
    StaleNotice,
    StatusBadge,
  ],
  templateUrl: './app-page.html',
  styleUrl: './app-page.css',
})
export class AppPage {
  /** The route parameter. */
  readonly id = input.required<string>();

  readonly #client = inject(AppsClient);
  readonly #deleter = inject(AppDeleter);
  readonly #router = inject(Router);
  /** The previous page passes the name, so the heading is shown before the API responds. */
  readonly #expected: unknown = this.#router.currentNavigation()?.extras.state?.['name'];

  protected readonly app = scopedData(
    () => this.id(),
    (id, signal) => this.#client.get(id, signal),
  );
  protected readonly hosting = hostingData();
  protected readonly retrying = signal(false);
  readonly #removing = signal(false);
  /** The live deploy, when it is loaded. */
  protected readonly live = signal<LiveFacts | undefined>(undefined);
  protected readonly status = computed(() => {
    const app = this.app.value();
    return app && appStatus(app, this.live()?.isBroken);
  });
  protected readonly numbered = computed(() => numberMessage(this.live()?.number));
  protected readonly withoutOrganization = computed(
    () => this.app.problem()?.code === 'identity.organization-required',
  );
  /** Checked even after a successful load: another user may delete the app while it is shown. */
  protected readonly isAbsent = computed(() => this.app.problem()?.status === 404);
  protected readonly heading = computed(() => {
    if (this.isAbsent()) return $localize`App not found`;
    return this.app.value()?.name ?? (typeof this.#expected === 'string' ? this.#expected : $localize`App`);
  });
  protected readonly type = computed(() => appTypeLabel(this.app.value()?.type ?? 'static'));
  protected readonly deploys = computed(() => deployCountMessage(this.app.value()?.deploy_count ?? 0));

  constructor() {
    const isWanted = (): boolean =>
      this.app.value() !== undefined && !this.isAbsent() && !this.retrying() && !this.#removing();
    // Other members deploy, activate and delete too. Polling remains for the time without a connection for changes.
    pollWhile(this.app, isWanted);
    reloadOnAppChange(
      () => isWanted() && this.app.reload(),
      (id) => id === this.id(),
    );
    const title = inject(Title);
    effect(() => title.setTitle(`${this.heading()} · ${BUILD_INFO.name}`));
  }

  protected changed(app: App): void {
    this.app.update(() => app);
  }

  protected async remove(app: App): Promise<void> {
    this.#removing.set(true);
    if (await this.#deleter.delete(app)) await this.#router.navigateByUrl('/apps');
    else this.#removing.set(false);
  }
}
