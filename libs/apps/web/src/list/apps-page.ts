import { afterNextRender, Component, computed, inject, signal } from '@angular/core';
import { type App, RESERVED_SUBDOMAINS } from '@homeport/apps/contracts';
import { AuthSession } from '@homeport/identity/web';
import {
  EmptyState,
  ErrorPanel,
  PageHeader,
  pollWhile,
  screenData,
  Skeleton,
  StaleNotice,
} from '@homeport/platform/web';
import { AppDeleter } from '../app/app-deleter';
import type { DeletionOutcome } from '../app/deletion-outcome';
import { reloadOnAppChange } from '../client/app-changes';
import { AppsClient } from '../client/apps-client';
import { RegisterForm } from '../register/register-form';
import { RegisteredNotice } from '../register/registered-notice';
import { addressSuffix } from '../shared/address-suffix';
import { hostingData } from '../shared/hosting-data';
import { NoOrganization } from '../shared/no-organization';
import { OutcomeNotice } from '../shared/outcome-notice';
import { AppRow } from './app-row';

/** The apps of the organization, in the order of the API. */
@Component({
  selector: 'hp-apps-page',
  imports: [
    AppRow,
    EmptyState,
    ErrorPanel,
    NoOrganization,
    OutcomeNotice,
    PageHeader,
    RegisteredNotice,
    RegisterForm,
    Skeleton,
    StaleNotice,
  ],
  templateUrl: './apps-page.html',
  styleUrl: './apps-page.css',
})
export class AppsPage {
  readonly #client = inject(AppsClient);
  readonly #session = inject(AuthSession);
  readonly #registered = signal<string | undefined>(undefined);

  protected readonly apps = screenData({
    key: () => this.#session.userScope(),
    load: (_scope, signal) => this.#client.list(signal),
  });
  readonly #hosting = hostingData();
  protected readonly suffix = computed(() => addressSuffix(this.#hosting.value(), this.apps.value()));
  protected readonly reserved = computed(() => this.#hosting.value()?.reserved_subdomains ?? RESERVED_SUBDOMAINS);
  protected readonly withoutOrganization = computed(
    () => this.apps.problem()?.code === 'identity.organization-required',
  );
  /** The app registered last on this page, in its current state. */
  protected readonly registered = computed(() => this.apps.value()?.find(({ id }) => id === this.#registered()));

  /** The outcome of a deletion that led to this page. */
  protected readonly deleted = signal<DeletionOutcome | undefined>(undefined);

  constructor() {
    const deleter = inject(AppDeleter);
    // Screen readers ignore a live region that is inserted together with its text.
    afterNextRender(() => this.deleted.set(deleter.takeOutcome()));
    reloadOnAppChange(() => this.apps.reload());
    pollWhile(this.apps, () => this.apps.value()?.some((app) => app.dns_status === 'dns-pending') ?? false);
  }

  /** Reloads the data that failed to load. */
  protected retry(): void {
    this.apps.reload();
    if (this.#hosting.value() === undefined) this.#hosting.reload();
  }

  protected begin(): void {
    this.deleted.set(undefined);
    this.#registered.set(undefined);
  }

  protected added(app: App): void {
    // A repeated registration returns an app that may already be in the list.
    this.apps.update((apps) => [app, ...apps.filter(({ id }) => id !== app.id)]);
    this.#registered.set(app.id);
  }
}
