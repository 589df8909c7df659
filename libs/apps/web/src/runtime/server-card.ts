import { Component, computed, inject, input } from '@angular/core';
import { RouterLink } from '@angular/router';
import type { App, Deploy } from '@homeport/apps/contracts';
import {
  Confirmations,
  ErrorPanel,
  fileSize,
  formatNumber,
  Icon,
  pollWhile,
  RelativeTime,
  Skeleton,
  StaleNotice,
  StatusBadge,
  Toasts,
  translateServerText,
} from '@homeport/platform/web';
import { reloadOnAppChange } from '../client/reload-on-change';
import { RuntimeClient } from '../client/runtime-client';
import { frameworkLabel } from '../shared/app-messages';
import { scopedData } from '../shared/scoped-data';
import { instanceLabel, runtimeStatus } from './runtime-messages';

/** The servers of an app: their state, and what each one uses. */
@Component({
  selector: 'hp-server-card',
  imports: [ErrorPanel, Icon, RelativeTime, RouterLink, Skeleton, StaleNotice, StatusBadge],
  templateUrl: './server-card.html',
  styleUrl: './server-card.css',
})
export class ServerCard {
  readonly app = input.required<App>();
  /** The loaded deploys, to name those that the instances run. */
  readonly deploys = input<readonly Deploy[]>([]);
  /** The live deploy, if it is loaded. */
  readonly live = input<Deploy>();

  readonly #client = inject(RuntimeClient);
  readonly #confirmations = inject(Confirmations);
  readonly #toasts = inject(Toasts);
  readonly #id = computed(() => this.app().id);
  protected readonly runtime = scopedData(this.#id, (id, signal) => this.#client.get(id, signal));
  protected readonly status = computed(() => runtimeStatus(this.runtime.value()?.state ?? 'none'));
  protected readonly reason = computed(() => translateServerText(this.runtime.value()?.reason ?? ''));
  protected readonly framework = computed(() => {
    const framework = this.live()?.framework;
    return framework ? frameworkLabel(framework) : '';
  });
  protected readonly instances = computed(() => {
    const { instances = [], limits } = this.runtime.value() ?? {};
    const numbers = new Map(this.deploys().map(({ id, number }) => [id, `#${number}`]));
    const most = limits ? fileSize(limits.memory_bytes) : '';
    return instances.map((instance) => ({
      ...{ id: instance.id, startedAt: instance.started_at },
      label: instanceLabel(instance.state),
      deploy: numbers.get(instance.deploy_id) ?? '–',
      memory: $localize`${fileSize(instance.memory_bytes)}:used: of ${most}:most:`,
      requests: formatNumber(instance.requests),
    }));
  });

  constructor() {
    // Memory and requests change without an event.
    pollWhile(this.runtime, () => this.runtime.problem() === undefined);
    reloadOnAppChange(
      () => this.runtime.reload(),
      (id) => id === this.#id(),
    );
  }

  protected async restart(): Promise<void> {
    const { id, name } = this.app();
    await this.#confirmations.ask({
      title: $localize`Restart ${name}:name:?`,
      text: $localize`New servers start, then the old ones finish their requests and stop. What the app holds in memory is lost.`,
      action: $localize`:verb|:Restart`,
      run: async () => {
        await this.#client.restart(id);
        this.runtime.reload();
        this.#toasts.show($localize`${name}:name: restarts.`);
      },
    });
  }
}
