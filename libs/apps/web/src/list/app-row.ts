import { Component, computed, inject, input, output, signal } from '@angular/core';
import type { App, AppType } from '@homeport/apps/contracts';
import { asHttpProblem, Icon, Moment, Toasts } from '@homeport/platform/web';
import { AppsClient } from '../client/apps-client';
import { DNS_WORDS } from './dns-words';

const TYPES: Readonly<Record<AppType, string>> = { static: 'Static', ssr: 'SSR' };

/** One app of the list. */
@Component({
  selector: 'hp-app-row',
  imports: [Icon, Moment],
  templateUrl: './app-row.html',
  styleUrl: './app-row.css',
})
export class AppRow {
  readonly app = input.required<App>();
  readonly changed = output<App>();
  readonly remove = output();

  readonly #client = inject(AppsClient);
  readonly #toasts = inject(Toasts);
  protected readonly retrying = signal(false);
  protected readonly dns = computed(() => DNS_WORDS[this.app().dns_status]);
  protected readonly type = computed(() => TYPES[this.app().type]);
  protected readonly deploys = computed(() => {
    const { deploy_count: deploys } = this.app();
    return deploys === 1 ? '1 deploy' : `${deploys.toLocaleString('en')} deploys`;
  });

  protected async retryDns(): Promise<void> {
    this.retrying.set(true);
    try {
      this.changed.emit(await this.#client.retryDns(this.app().id));
    } catch (error) {
      this.#toasts.show(`DNS of ${this.app().name} could not be retried. ${asHttpProblem(error).detail}`);
    } finally {
      this.retrying.set(false);
    }
  }
}
