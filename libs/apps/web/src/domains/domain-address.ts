import { Component, computed, inject, input, signal } from '@angular/core';
import type { ChangeDomain, Domain } from '@homeport/apps/contracts';
import { asHttpProblem, ErrorPanel, type HttpProblem, Toasts } from '@homeport/platform/web';
import { ShownDomain } from './shown-domain';

/** What visitors of a domain get: the app, or a redirect; whether it is the primary address, and needs https. */
@Component({
  selector: 'hp-domain-address',
  imports: [ErrorPanel],
  templateUrl: './domain-address.html',
  styleUrl: './domain-address.css',
})
export class DomainAddress {
  readonly domain = input.required<Domain>();

  readonly #shown = inject(ShownDomain);
  readonly #toasts = inject(Toasts);
  protected readonly busy = signal(false);
  protected readonly problem = signal<HttpProblem | undefined>(undefined);
  /** Where visitors can be redirected: the other names that show the same. */
  protected readonly targets = computed<readonly string[]>(() => {
    const { redirect_to: current } = this.domain();
    const names = this.#shown.siblings().filter(({ redirect_to }) => redirect_to === null);
    const platform = this.#shown.app()?.hostname;
    const all = [...names.map(({ name }) => name), ...(platform === undefined ? [] : [platform])];
    return current === null || all.includes(current) ? all : [current, ...all];
  });
  protected readonly primaryWords = computed(() =>
    this.domain().is_primary ? $localize`Stop using as primary` : $localize`Use as primary`,
  );

  /** Without a certificate, browsers that were told to use https could not open the domain. */
  protected readonly canRequireHttps = computed(() => {
    const { certificate, hsts } = this.domain();
    return hsts === 'on' || certificate === 'active' || certificate === 'renewing';
  });
  protected readonly httpsWords = computed(() =>
    this.domain().hsts === 'on' ? $localize`Stop requiring https` : $localize`Require https`,
  );

  protected async toggleHttps(): Promise<void> {
    const { hsts, name } = this.domain();
    const done =
      hsts === 'on'
        ? $localize`Browsers are no longer told to open ${name}:domain: by https only.`
        : $localize`Browsers are told to open ${name}:domain: by https only.`;
    await this.#change({ hsts: hsts === 'on' ? 'off' : 'on' }, done);
  }

  protected async togglePrimary(): Promise<void> {
    const { is_primary, name } = this.domain();
    const changed = is_primary
      ? $localize`${name}:domain: is no longer primary.`
      : $localize`${name}:domain: is primary now.`;
    await this.#change({ is_primary: !is_primary }, changed);
  }

  /** @param target empty to show the app. */
  protected async redirect(target: string, field: HTMLSelectElement): Promise<void> {
    const done =
      target === ''
        ? $localize`Visitors of ${this.domain().name}:domain: see the app.`
        : $localize`Visitors are redirected to ${target}:target:.`;
    await this.#change({ redirect_to: target === '' ? null : target }, done);
    field.value = this.domain().redirect_to ?? '';
  }

  async #change(change: ChangeDomain, done: string): Promise<void> {
    if (this.busy()) return;
    this.busy.set(true);
    this.problem.set(undefined);
    try {
      await this.#shown.change(this.domain(), change);
      this.#toasts.show(done);
    } catch (error) {
      this.problem.set(asHttpProblem(error));
    } finally {
      this.busy.set(false);
    }
  }
}
