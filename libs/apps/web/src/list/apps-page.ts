import { afterNextRender, Component, computed, inject, signal } from '@angular/core';
import { RouterLink } from '@angular/router';
import { AuthSession } from '@homeport/identity/web';
import {
  EmptyState,
  ErrorPanel,
  Icon,
  PageHeader,
  pollWhile,
  screenData,
  Skeleton,
  StaleNotice,
} from '@homeport/platform/web';
import { AppDeleter } from '../app/app-deleter';
import type { DeletionOutcome } from '../app/deletion-outcome';
import { reloadOnAppChange } from '../client/reload-on-change';
import { AppsClient } from '../client/apps-client';
import { NewApp, openOnQuery } from '../register/new-app';
import { NoOrganization } from '../shared/no-organization';
import { OutcomeNotice } from '../shared/outcome-notice';
import { AppCard } from './app-card';

/** The apps of the organization, in the order of the API. */
@Component({
  selector: 'hp-apps-page',
  imports: [
    AppCard,
    EmptyState,
    ErrorPanel,
    Icon,
    NoOrganization,
    OutcomeNotice,
    PageHeader,
    RouterLink,
    Skeleton,
    StaleNotice,
  ],
  templateUrl: './apps-page.html',
  styleUrl: './apps-page.css',
})
export class AppsPage {
  readonly #client = inject(AppsClient);
  readonly #session = inject(AuthSession);
  protected readonly newApp = inject(NewApp);

  protected readonly apps = screenData({
    key: () => this.#session.userScope(),
    load: (_scope, signal) => this.#client.list(signal),
  });
  protected readonly withoutOrganization = computed(
    () => this.apps.problem()?.code === 'identity.organization-required',
  );

  /** The outcome of a deletion that led to this page. */
  protected readonly deleted = signal<DeletionOutcome | undefined>(undefined);

  constructor() {
    const deleter = inject(AppDeleter);
    // Screen readers ignore a live region that is inserted together with its text.
    afterNextRender(() => this.deleted.set(deleter.takeOutcome()));
    reloadOnAppChange(() => this.apps.reload());
    pollWhile(this.apps, () => this.apps.value()?.some((app) => app.dns_status === 'dns-pending') ?? false);
    openOnQuery(() => this.apps.value() !== undefined);
  }
}
