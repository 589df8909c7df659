import {
  afterNextRender,
  Component,
  computed,
  ElementRef,
  inject,
  Injector,
  input,
  linkedSignal,
  signal,
} from '@angular/core';
import { AuthSession } from '@homeport/identity/web';
import { ErrorPanel, formatPercent, Icon, language, screenData, Skeleton, Toasts } from '@homeport/platform/web';
import { RequestForm } from '@homeport/platform/web/on-demand';
import type { Budget } from '@homeport/usage/contracts';
import { UsageClient } from '../usage-client';
import { amountLabel } from '../usage-messages';
import { budgetUse, typedAmount, typedPercentages } from './budget-use';

/** The monthly budget of the organization, how much of it is used, and the form that changes it. */
@Component({
  selector: 'hp-budget-card',
  imports: [ErrorPanel, Icon, RequestForm, Skeleton],
  templateUrl: './budget-card.html',
  styleUrl: './budget-card.css',
})
export class BudgetCard {
  readonly #client = inject(UsageClient);
  readonly #session = inject(AuthSession);
  readonly #toasts = inject(Toasts);
  readonly #injector = inject(Injector);
  readonly #host = inject<ElementRef<HTMLElement>>(ElementRef).nativeElement;
  /** The total of the current month. */
  readonly totalUsd = input.required<string>();

  protected readonly budget = screenData({
    key: () => this.#session.userScope(),
    load: (_scope, signal) => this.#client.budget(signal),
  });
  protected readonly isEditing = signal(false);
  protected readonly setWords = $localize`Set a budget`;
  protected readonly changeWords = $localize`Change`;
  protected readonly use = computed(() => {
    const budget = this.budget.value();
    const use = budget && budgetUse(budget, this.totalUsd());
    if (!use || budget.monthly_usd === null) return undefined;
    const [total, limit] = [amountLabel(this.totalUsd()), amountLabel(budget.monthly_usd)];
    return {
      ...use,
      words: $localize`${total}:total: of ${limit}:budget: (${formatPercent(use.percent / 100)}:percent:)`,
      notice: use.reached === undefined ? undefined : noticeOf(use.percent, use.reached, limit),
      noticesAt: budget.notify_at.map((each) => formatPercent(each / 100)).join(', '),
    };
  });

  protected readonly amount = linkedSignal(() => {
    this.isEditing();
    const amount = this.budget.value()?.monthly_usd;
    return (amount ?? '').replace('.', language() === 'de' ? ',' : '.');
  });
  protected readonly percentages = linkedSignal(() => {
    this.isEditing();
    return (this.budget.value()?.notify_at ?? []).join(', ');
  });
  protected readonly amountFault = computed(() =>
    typedAmount(this.amount()) === undefined ? $localize`Enter an amount from 0.01 to 999,999,999.99.` : undefined,
  );
  protected readonly percentagesFault = computed(() =>
    typedPercentages(this.percentages()) === undefined
      ? $localize`Enter up to ten whole percentages from 1 to 1,000, separated by commas.`
      : undefined,
  );

  /** Opens or closes the form, and moves the focus to its first field or back to the button that opens it. */
  protected edit(isEditing: boolean): void {
    this.isEditing.set(isEditing);
    const target = isEditing ? 'input' : 'button';
    afterNextRender(() => this.#host.querySelector<HTMLElement>(target)?.focus(), { injector: this.#injector });
  }

  protected readonly save = async (): Promise<boolean> => {
    const notify_at = typedPercentages(this.percentages());
    await this.#store({ monthly_usd: typedAmount(this.amount()) ?? null, notify_at: notify_at ?? [] });
    return true;
  };

  protected async remove(): Promise<void> {
    try {
      await this.#store({ monthly_usd: null, notify_at: [...(this.budget.value()?.notify_at ?? [])] });
    } catch {
      this.#toasts.show($localize`The budget was not removed.`);
    }
  }

  async #store(budget: { monthly_usd: string | null; notify_at: number[] }): Promise<void> {
    const saved: Budget = await this.#client.saveBudget(budget);
    this.budget.update(() => saved);
    this.edit(false);
  }
}

function noticeOf(percent: number, reached: number, limit: string): string {
  return percent >= 100
    ? $localize`The budget of ${limit}:budget: is used up. Usage continues.`
    : $localize`Usage has reached ${formatPercent(reached / 100)}:percent: of the budget of ${limit}:budget:.`;
}
