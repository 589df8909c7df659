import { Component, computed, inject, signal } from '@angular/core';
import type { App } from '@homeport/apps/contracts';
import { AuthSession } from '@homeport/identity/web';
import { EmptyState, ErrorPanel, PageHeader, screenData, Skeleton, StaleNotice } from '@homeport/platform/web';
import { AppsClient } from '../client/apps-client';
import { RegisterForm } from '../register/register-form';
import { RegisteredNotice } from '../register/registered-notice';
import { NoOrganization } from '../shared/no-organization';
import { pollWhile } from '../shared/poll-while';
import { AppRow } from './app-row';

/** The apps of the organization, in the order the API gives them. */
@Component({
  selector: 'hp-apps-page',
  imports: [
    AppRow,
    EmptyState,
    ErrorPanel,
    NoOrganization,
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
    key: () => this.#session.scope(),
    load: (_scope, signal) => this.#client.list(signal),
  });
  /** Known from any app; the API names the platform's domain nowhere else. */
  protected readonly suffix = computed(() => {
    const app = this.apps.value()?.[0];
    return app?.hostname.startsWith(`${app.subdomain}.`) ? app.hostname.slice(app.subdomain.length) : '';
  });
  protected readonly withoutOrganization = computed(
    () => this.apps.problem()?.code === 'identity.organization-required',
  );
  /** What was registered last here, as it is by now. */
  protected readonly registered = computed(() => this.apps.value()?.find(({ id }) => id === this.#registered()));

  constructor() {
    pollWhile(this.apps, () => this.apps.value()?.some((app) => app.dns_status === 'dns-pending') ?? false);
  }

  protected begin(): void {
    this.#registered.set(undefined);
  }

  protected added(app: App): void {
    // A repeated registration answers an app that may be in the list already.
    this.apps.update((apps) => [app, ...apps.filter(({ id }) => id !== app.id)]);
    this.#registered.set(app.id);
  }
}
