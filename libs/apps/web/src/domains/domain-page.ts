import { Component, computed, effect, inject } from '@angular/core';
import { toSignal } from '@angular/core/rxjs-interop';
import { Title } from '@angular/platform-browser';
import { NavigationEnd, Router, RouterLink } from '@angular/router';
import type { Domain } from '@homeport/apps/contracts';
import {
  BUILD_INFO,
  CopyButton,
  EmptyState,
  ErrorPanel,
  Icon,
  pageBreadcrumbs,
  Skeleton,
  StaleNotice,
  StatusBadge,
} from '@homeport/platform/web';
import { filter } from 'rxjs';
import { hostOf } from '../shared/host-of';
import { NoOrganization } from '../shared/no-organization';
import { DomainAddress } from './domain-address';
import { DomainCheck } from './domain-check';
import { domainStatusLabel } from './domain-labels';
import { DomainRecordCard } from './domain-record';
import { DomainRemover } from './domain-remover';
import { priceMessage } from './price-messages';
import { ShownDomain } from './shown-domain';
import { zoneFile } from './zone-file';

/** One domain: its state with the next step, the records to create, its address settings and its removal. */
@Component({
  selector: 'hp-domain-page',
  imports: [
    CopyButton,
    DomainAddress,
    DomainCheck,
    DomainRecordCard,
    EmptyState,
    ErrorPanel,
    Icon,
    NoOrganization,
    RouterLink,
    Skeleton,
    StaleNotice,
    StatusBadge,
  ],
  providers: [ShownDomain],
  templateUrl: './domain-page.html',
  styleUrl: './domain-page.css',
})
export class DomainPage {
  readonly #router = inject(Router);
  readonly #remover = inject(DomainRemover);
  /** The previous page passes the name, so the heading is shown before the API responds. */
  readonly #expected: unknown = this.#router.currentNavigation()?.extras.state?.['name'];
  readonly #navigations = toSignal(this.#router.events.pipe(filter((event) => event instanceof NavigationEnd)));
  protected readonly shown = inject(ShownDomain);
  protected readonly domain = this.shown.data;
  protected readonly status = computed(() => domainStatusLabel(this.domain.value()?.status ?? 'pending'));
  protected readonly withoutOrganization = computed(
    () => this.domain.problem()?.code === 'identity.organization-required',
  );
  protected readonly heading = computed(() => {
    if (this.shown.isAbsent()) return $localize`Domain not found`;
    return this.domain.value()?.name ?? (typeof this.#expected === 'string' ? this.#expected : $localize`Domain`);
  });
  protected readonly price = computed(() => priceMessage(this.domain.value()?.price_usd ?? 0));
  /** Where visitors see the app; undefined while they do not. */
  protected readonly visited = computed(() => {
    const { app_id, name } = this.domain.value() ?? {};
    const addresses = app_id === null ? [] : (this.shown.app()?.addresses ?? []);
    return addresses.find(({ url }) => hostOf(url) === name)?.url;
  });
  protected readonly zoneFile = computed(() => zoneFile(this.domain.value()?.records ?? []));

  constructor() {
    pageBreadcrumbs(() => [
      { label: $localize`Apps`, link: ['/apps'] },
      { label: $localize`Domains`, link: ['/apps/domains'] },
      { label: this.heading() },
    ]);
    const title = inject(Title);
    effect(() => {
      // The router sets the title of the route at each navigation.
      this.#navigations();
      title.setTitle(`${this.heading()} · ${BUILD_INFO.name}`);
    });
  }

  protected async remove(domain: Domain): Promise<void> {
    this.shown.removing.set(true);
    if (await this.#remover.remove(domain)) await this.#router.navigateByUrl('/apps/domains');
    else this.shown.removing.set(false);
  }
}
