import { Component, computed, DestroyRef, inject, input, signal } from '@angular/core';
import type { Domain } from '@homeport/apps/contracts';
import { asHttpProblem, ErrorPanel, type HttpProblem, Icon, RelativeTime, StatusBadge } from '@homeport/platform/web';
import { NextAttempt } from '../app/next-attempt';
import { domainExplanation } from './domain-explanation';
import { certificateLabel, ownershipLabel, routingLabel } from './domain-labels';
import { ShownDomain } from './shown-domain';

/** The server asks name servers at most this often for one domain. */
const MIN_INTERVAL_MS = 5_000;

/** The state of a domain in words, the next step, and the next check. */
@Component({
  selector: 'hp-domain-check',
  imports: [ErrorPanel, Icon, NextAttempt, RelativeTime, StatusBadge],
  templateUrl: './domain-check.html',
  styleUrl: './domain-check.css',
})
export class DomainCheck {
  readonly domain = input.required<Domain>();

  readonly #shown = inject(ShownDomain);
  protected readonly explanation = computed(() => domainExplanation(this.domain(), this.#shown.app()?.name));
  protected readonly axes = computed(() => [
    { id: 'ownership', name: $localize`Ownership`, label: ownershipLabel(this.domain()) },
    { id: 'routing', name: $localize`Visitors`, label: routingLabel(this.domain()) },
    { id: 'certificate', name: $localize`Certificate`, label: certificateLabel(this.domain()) },
  ]);
  protected readonly busy = signal(false);
  readonly #isTooSoon = signal(false);
  protected readonly blocked = computed(() => this.busy() || this.#isTooSoon());
  protected readonly words = computed(() => (this.busy() ? $localize`Checking…` : $localize`Check now`));
  protected readonly outcome = signal('');
  protected readonly problem = signal<HttpProblem | undefined>(undefined);
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    inject(DestroyRef).onDestroy(() => clearTimeout(this.#timer));
  }

  protected async check(): Promise<void> {
    if (this.blocked()) return;
    this.busy.set(true);
    this.#isTooSoon.set(true);
    this.#timer = setTimeout(() => this.#isTooSoon.set(false), MIN_INTERVAL_MS);
    this.outcome.set('');
    this.problem.set(undefined);
    try {
      this.outcome.set(outcomeMessage(await this.#shown.check(this.domain())));
    } catch (error) {
      this.#fail(asHttpProblem(error));
    } finally {
      this.busy.set(false);
    }
  }

  #fail(problem: HttpProblem): void {
    if (problem.code === 'apps.domain-not-found') this.#shown.data.reload();
    else this.problem.set(problem);
  }
}

function outcomeMessage({ records }: Domain): string {
  const found = records.filter(({ state }) => state === 'found').length;
  return $localize`Checked: ${found}:count: of ${records.length}:all: records found.`;
}
