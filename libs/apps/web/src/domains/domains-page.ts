import { Component, computed, inject } from '@angular/core';
import type { Domain } from '@homeport/apps/contracts';
import { AuthSession } from '@homeport/identity/web';
import {
  EmptyState,
  ErrorPanel,
  Icon,
  pageBreadcrumbs,
  PageHeader,
  pollWhile,
  screenData,
  Skeleton,
  StaleNotice,
} from '@homeport/platform/web';
import { AppsClient } from '../client/apps-client';
import { reloadOnDomainChange } from '../client/reload-on-change';
import { domainsData, offersBaseDomains } from '../shared/domains-data';
import { NoOrganization } from '../shared/no-organization';
import { AddDomain } from './add-domain';
import { DomainRow } from './domain-row';

/** All domains of the organization. */
@Component({
  selector: 'hp-domains-page',
  imports: [DomainRow, EmptyState, ErrorPanel, Icon, NoOrganization, PageHeader, Skeleton, StaleNotice],
  templateUrl: './domains-page.html',
  styleUrl: './domains-page.css',
})
export class DomainsPage {
  readonly #apps = inject(AppsClient);
  readonly #session = inject(AuthSession);
  protected readonly adding = inject(AddDomain);

  protected readonly domains = domainsData();
  /** For the names of the apps, which the list can do without. */
  readonly #names = screenData({
    key: () => this.#session.userScope(),
    load: async (_scope, signal) => new Map((await this.#apps.list(signal)).map(({ id, name }) => [id, name])),
  });
  protected readonly withoutOrganization = computed(
    () => this.domains.problem()?.code === 'identity.organization-required',
  );
  protected readonly emptyWords = computed(() =>
    offersBaseDomains(this.domains.value())
      ? $localize`Show an app at a name such as www.acme.com, or give all apps addresses below a domain of your own.`
      : $localize`Show an app at a name such as www.acme.com.`,
  );
  protected readonly groups = computed(() => {
    const items = this.domains.value()?.items ?? [];
    const group = (id: Domain['kind'], heading: string, note: string) => ({
      ...{ id, heading, note },
      rows: items.filter(({ kind }) => kind === id).map((domain) => ({ domain, note: this.#noteOf(domain) })),
    });
    return [
      group('base', $localize`Base domains`, $localize`Every app has an address below them.`),
      group('hostname', $localize`Domains of apps`, $localize`Each shows one app.`),
    ].filter(({ rows }) => rows.length > 0);
  });

  constructor() {
    pageBreadcrumbs(() => [{ label: $localize`Apps`, link: ['/apps'] }, { label: $localize`Domains` }]);
    reloadOnDomainChange(() => this.domains.reload());
    pollWhile(this.domains, () => this.domains.value()?.items.some(({ status }) => status === 'pending') ?? false);
  }

  #noteOf({ kind, app_id }: Domain): string {
    if (kind === 'base') return $localize`All apps`;
    if (app_id === null) return $localize`No app: it was deleted`;
    return this.#names.value()?.get(app_id) ?? $localize`One app`;
  }
}
