import { Component, computed, inject } from '@angular/core';
import type { App } from '@homeport/apps/contracts';
import { AuthSession } from '@homeport/identity/web';
import {
  Confirmations,
  EmptyState,
  ErrorPanel,
  PageHeader,
  screenData,
  Skeleton,
  StaleNotice,
  Toasts,
} from '@homeport/platform/web';
import { AppsClient } from '../client/apps-client';
import { RegisterForm } from '../register/register-form';
import { AppRow } from './app-row';

/** The apps of the organization, in the order the API gives them. */
@Component({
  selector: 'hp-apps-page',
  imports: [AppRow, EmptyState, ErrorPanel, PageHeader, RegisterForm, Skeleton, StaleNotice],
  templateUrl: './apps-page.html',
  styleUrl: './apps-page.css',
})
export class AppsPage {
  readonly #client = inject(AppsClient);
  readonly #confirmations = inject(Confirmations);
  readonly #session = inject(AuthSession);
  readonly #toasts = inject(Toasts);

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

  protected added(app: App): void {
    // A repeated registration answers an app that may be in the list already.
    this.apps.update((apps) => [app, ...apps.filter(({ id }) => id !== app.id)]);
    const dns = app.dns_status === 'dns-failed' ? ' Its DNS record could not be made yet.' : '';
    this.#toasts.show(`Registered ${app.name}.${dns}`);
  }

  protected changed(app: App): void {
    this.apps.update((apps) => apps.map((known) => (known.id === app.id ? app : known)));
    const words = { 'dns-active': 'is active', 'dns-pending': 'is on its way', 'dns-failed': 'failed again' };
    this.#toasts.show(`DNS of ${app.name} ${words[app.dns_status]}.`);
  }

  protected async remove(app: App): Promise<void> {
    let dangling = false;
    const deleted = await this.#confirmations.ask({
      title: `Delete ${app.name}?`,
      text: `${app.hostname} stops working at once, and its deploys are archived. This cannot be undone.`,
      action: 'Delete app',
      typed: app.name,
      run: async () => {
        dangling = (await this.#client.delete(app.id)).dns === 'dangling';
      },
    });
    if (!deleted) return;
    this.apps.update((apps) => apps.filter(({ id }) => id !== app.id));
    this.#toasts.show(`Deleted ${app.name}.${dangling ? ' Its DNS record is removed later.' : ''}`);
  }
}
