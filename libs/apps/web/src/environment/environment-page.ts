import { Component, computed, inject, viewChild } from '@angular/core';
import { RouterLink } from '@angular/router';
import type { EnvironmentVariable } from '@homeport/apps/contracts';
import {
  Confirmations,
  EmptyState,
  ErrorPanel,
  RelativeTime,
  Skeleton,
  StaleNotice,
  Toasts,
} from '@homeport/platform/web';
import { ShownApp } from '../app/shown-app';
import { EnvironmentClient } from '../client/environment-client';
import { reloadOnAppChange } from '../client/reload-on-change';
import { scopedData } from '../shared/scoped-data';
import { scopeLabel } from './environment-messages';
import { VariableForm } from './variable-form';

/** The variables of an app's servers. */
@Component({
  selector: 'hp-environment-page',
  imports: [EmptyState, ErrorPanel, RelativeTime, RouterLink, Skeleton, StaleNotice, VariableForm],
  templateUrl: './environment-page.html',
  styleUrl: './environment-page.css',
})
export class EnvironmentPage {
  readonly #client = inject(EnvironmentClient);
  readonly #confirmations = inject(Confirmations);
  readonly #shown = inject(ShownApp);
  readonly #toasts = inject(Toasts);
  private readonly form = viewChild(VariableForm);
  protected readonly app = this.#shown.data.value;
  /** SSR apps alone have variables. */
  readonly #id = computed(() => (this.app()?.type === 'ssr' ? this.#shown.id() : undefined));
  protected readonly variables = scopedData(this.#id, (id, signal) => this.#client.list(id, signal));
  protected readonly rows = computed(() =>
    this.variables.value()?.map((variable) => ({ ...variable, label: scopeLabel(variable.scope) })),
  );

  constructor() {
    // Other members change variables too.
    reloadOnAppChange(
      () => this.variables.reload(),
      (id) => id === this.#id(),
    );
  }

  protected saved(variable: EnvironmentVariable): void {
    this.variables.update((all) =>
      [...all.filter(({ name }) => name !== variable.name), variable].toSorted((a, b) => (a.name < b.name ? -1 : 1)),
    );
  }

  protected change(variable: EnvironmentVariable): void {
    this.form()?.change(variable);
  }

  protected async remove({ name }: EnvironmentVariable): Promise<void> {
    await this.#confirmations.ask({
      title: $localize`Remove ${name}:name:?`,
      text: $localize`The app restarts without it. The value cannot be restored.`,
      action: $localize`Remove variable`,
      run: async () => {
        await this.#client.remove(this.#shown.id(), name);
        this.variables.update((all) => all.filter((each) => each.name !== name));
        this.#toasts.show($localize`${name}:name: is removed. The app restarts without it.`);
      },
    });
  }
}
