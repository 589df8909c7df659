import { Component, computed, inject, Injector, input, signal } from '@angular/core';
import type { Trust } from '@homeport/identity/contracts';
import {
  asHttpProblem,
  Confirmations,
  ErrorPanel,
  Icon,
  RelativeTime,
  Skeleton,
  StaleNotice,
  Toasts,
} from '@homeport/platform/web';
import { scopedData } from '../../shared/scoped-data';
import { trustSummary, type TrustSummary } from './pipeline';
import { TrustsClient } from './trusts-client';

/** Lists the repositories whose pipelines may deploy an app. */
@Component({
  selector: 'hp-trust-list',
  imports: [ErrorPanel, Icon, RelativeTime, Skeleton, StaleNotice],
  templateUrl: './trust-list.html',
})
export class TrustList {
  readonly appId = input.required<string>();

  readonly #client = inject(TrustsClient);
  readonly #confirmations = inject(Confirmations);
  readonly #injector = inject(Injector);
  readonly #toasts = inject(Toasts);

  protected readonly trusts = scopedData(
    () => this.appId(),
    (id, signal) => this.#client.list(id, signal),
  );
  protected readonly rows = computed(() =>
    this.trusts.value()?.map((trust) => ({ ...trust, summary: trustSummary(trust) })),
  );
  protected readonly opening = signal(false);

  protected async connect(): Promise<void> {
    this.opening.set(true);
    try {
      const { openNewTrustDialog } = await import('./new-trust-dialog');
      const created = await openNewTrustDialog(this.#injector, this.appId());
      if (created) this.trusts.update((all) => [created, ...all]);
    } catch (error) {
      this.#toasts.show(asHttpProblem(error).detail);
    } finally {
      this.opening.set(false);
    }
  }

  protected async disconnect({ id, summary: { name } }: Trust & { readonly summary: TrustSummary }): Promise<void> {
    await this.#confirmations.ask({
      title: $localize`Disconnect ${name}:repository:?`,
      text: $localize`Its pipelines can no longer deploy this app. Deploys that exist stay.`,
      action: $localize`Disconnect`,
      run: async () => {
        await this.#client.delete(this.appId(), id);
        this.trusts.update((all) => all.filter((each) => each.id !== id));
        this.#toasts.show($localize`${name}:repository: is disconnected.`);
      },
    });
  }
}
