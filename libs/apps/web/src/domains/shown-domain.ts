import { computed, inject, Service, signal } from '@angular/core';
import { toSignal } from '@angular/core/rxjs-interop';
import { ActivatedRoute } from '@angular/router';
import type { App, ChangeDomain, Domain } from '@homeport/apps/contracts';
import { pollWhile } from '@homeport/platform/web';
import { map } from 'rxjs';
import { AppsClient } from '../client/apps-client';
import { DomainsClient } from '../client/domains-client';
import { reloadOnAppChange, reloadOnDomainChange } from '../client/reload-on-change';
import { domainsData } from '../shared/domains-data';
import { scopedData } from '../shared/scoped-data';

/** The domain of the route, with what its page needs beside it. */
@Service({ autoProvided: false })
export class ShownDomain {
  readonly #client = inject(DomainsClient);
  readonly #apps = inject(AppsClient);
  readonly #id = toSignal(inject(ActivatedRoute).paramMap.pipe(map((params) => params.get('id') ?? '')), {
    requireSync: true,
  });
  readonly data = scopedData(this.#id, (id, signal) => this.#client.get(id, signal));
  readonly removing = signal(false);
  readonly isAbsent = computed(() => this.data.problem()?.status === 404);
  readonly existing = computed(() => (this.isAbsent() ? undefined : this.data.value()));
  readonly #appId = computed(() => this.existing()?.app_id ?? undefined);
  /** The page shows the domain without its app while this is not loaded. */
  readonly #app = scopedData(this.#appId, (id, signal) => this.#apps.get(id, signal));
  readonly app = computed<App | undefined>(() => this.#app.value());
  readonly #others = domainsData();
  /** The other domains of the same app, or the other base domains. */
  readonly siblings = computed<readonly Domain[]>(() => {
    const domain = this.existing();
    const all = domain ? (this.#others.value()?.items ?? []) : [];
    return all.filter(({ id, kind, app_id }) => id !== domain?.id && kind === domain?.kind && app_id === domain.app_id);
  });

  constructor() {
    const isWanted = (): boolean => this.data.value() !== undefined && !this.isAbsent() && !this.removing();
    // Polling remains for the time without a connection for changes.
    pollWhile(this.data, () => isWanted() && this.data.value()?.status !== 'active');
    reloadOnDomainChange(
      () => isWanted() && this.data.reload(),
      (id) => id === this.#id(),
    );
    // Its addresses change with the domain.
    reloadOnAppChange(
      () => this.#app.reload(),
      (id) => id === this.#appId(),
    );
  }

  /** Asks the name servers, and shows what they answered. @throws {HttpProblem} */
  async check({ id }: Domain): Promise<Domain> {
    return this.#show(await this.#client.check(id));
  }

  /** @throws {HttpProblem} */
  async change({ id }: Domain, change: ChangeDomain): Promise<Domain> {
    const changed = this.#show(await this.#client.change(id, change));
    // A new primary domain replaces another one.
    this.#others.reload();
    return changed;
  }

  #show(domain: Domain): Domain {
    this.data.update(() => domain);
    return domain;
  }
}
