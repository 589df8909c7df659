import { Component, computed, inject, input, output, signal } from '@angular/core';
import { RouterLink } from '@angular/router';
import type { App, Domain } from '@homeport/apps/contracts';
import {
  asHttpProblem,
  CopyButton,
  ErrorPanel,
  type HttpProblem,
  Icon,
  Skeleton,
  StaleNotice,
  Toasts,
} from '@homeport/platform/web';
import { DomainsClient } from '../client/domains-client';
import { reloadOnDomainChange } from '../client/reload-on-change';
import { hostOf } from '../shared/host-of';
import { scopedData } from '../shared/scoped-data';
import { AddDomain } from './add-domain';
import { DomainRow } from './domain-row';

/** All addresses of an app: below the platform domain, below base domains, and its own domains with their states. */
@Component({
  selector: 'hp-app-addresses',
  imports: [CopyButton, DomainRow, ErrorPanel, Icon, RouterLink, Skeleton, StaleNotice],
  templateUrl: './app-addresses.html',
  styleUrl: './app-addresses.css',
})
export class AppAddresses {
  readonly app = input.required<App>();
  /** The addresses of the app changed. */
  readonly changed = output();

  readonly #client = inject(DomainsClient);
  readonly #toasts = inject(Toasts);
  protected readonly adding = inject(AddDomain);
  protected readonly domains = scopedData(
    () => this.app().id,
    (id, signal) => this.#client.list(id, signal),
  );
  /** The addresses that are not own domains of the app. */
  protected readonly shared = computed(() =>
    this.app()
      .addresses.filter(({ kind }) => kind !== 'hostname')
      .map((address) => ({
        ...address,
        host: hostOf(address.url),
        note: address.kind === 'base' ? $localize`Below a base domain of your organization` : $localize`Always works`,
      })),
  );
  protected readonly primaryName = computed(() => hostOf(this.app().url));
  protected readonly hostnameNote = $localize`Own domain`;
  protected readonly busy = signal(false);
  protected readonly problem = signal<HttpProblem | undefined>(undefined);

  constructor() {
    reloadOnDomainChange(() => this.domains.reload());
  }

  /** Whether the domain can become the address of the app. */
  protected canBePrimary({ is_primary, redirect_to, status }: Domain): boolean {
    return !is_primary && redirect_to === null && status === 'active';
  }

  protected async makePrimary({ id, name }: Domain): Promise<void> {
    if (this.busy()) return;
    this.busy.set(true);
    this.problem.set(undefined);
    try {
      await this.#client.change(id, { is_primary: true });
      this.#toasts.show($localize`${name}:domain: is primary now.`);
      this.domains.reload();
      this.changed.emit();
    } catch (error) {
      this.problem.set(asHttpProblem(error));
    } finally {
      this.busy.set(false);
    }
  }
}
