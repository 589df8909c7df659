import { Component, computed, inject } from '@angular/core';
import { RouterLink } from '@angular/router';
import { AuthSession } from '@homeport/identity/web';
import { ErrorPanel, Icon, pollWhile, screenData, Skeleton, StaleNotice, StatusBadge } from '@homeport/platform/web';
import { reloadOnAppChange } from '../client/reload-on-change';
import { AppsClient } from '../client/apps-client';
import { appStatus } from '../shared/app-status';

/** Few, because the sections below move when they appear. */
const SHOWN_APPS = 3;

/** The newest apps on the home page, with their state and a shortcut to deploy. Hidden for a user without apps access. */
@Component({
  selector: 'hp-home-apps',
  imports: [ErrorPanel, Icon, RouterLink, Skeleton, StaleNotice, StatusBadge],
  templateUrl: './home-apps.html',
  styleUrl: './home-apps.css',
})
export class HomeApps {
  readonly #client = inject(AppsClient);
  readonly #session = inject(AuthSession);

  protected readonly apps = screenData({
    key: () => this.#session.userScope(),
    load: (_scope, signal) => this.#client.list(signal),
  });
  protected readonly withoutOrganization = computed(
    () => this.apps.problem()?.code === 'identity.organization-required',
  );
  protected readonly rows = computed(() =>
    this.apps
      .value()
      ?.slice(0, SHOWN_APPS)
      .map((app) => ({ app, status: appStatus(app) })),
  );
  protected readonly hasMore = computed(() => (this.apps.value()?.length ?? 0) > SHOWN_APPS);

  constructor() {
    reloadOnAppChange(() => this.apps.reload());
    pollWhile(this.apps, () => this.apps.value()?.some(({ dns_status: dns }) => dns === 'dns-pending') ?? false);
  }
}
