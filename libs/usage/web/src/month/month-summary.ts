import { Component, computed, input } from '@angular/core';
import type { ChargedMonth, UsageMonth } from '@homeport/usage/contracts';
import { exactTime } from '@homeport/platform/web';
import { centsOf } from '../cents';
import { amountLabel, monthLabel } from '../usage-messages';

/** The totals of a month, and what the included amount and the trial cover. */
@Component({
  selector: 'hp-month-summary',
  template: `
    <dl>
      <div class="card">
        <dt>{{ totalHeading() }}</dt>
        <dd [style.--characters]="total().length">{{ total() }}</dd>
        <dd class="note">{{ totalNote() }}</dd>
      </div>
      @if (isOpen()) {
        <div class="card">
          <dt i18n>Projected cost</dt>
          <dd [style.--characters]="projected().length">{{ projected() }}</dd>
          <dd class="note" i18n>at the end of the month, at the average rate so far</dd>
        </div>
      }
      <div class="card">
        <dt i18n>Included usage</dt>
        <dd>{{ amount(month().included_usd) }}</dd>
        <dd class="note">{{ includedNote() }}</dd>
      </div>
      @if (month().account.trial; as trial) {
        <div class="card">
          <dt i18n>Covered by the trial</dt>
          <dd>{{ amount(month().trial_covered_usd) }}</dd>
          <dd class="note">{{ periodNote() }}</dd>
          <dd class="meter" aria-hidden="true"><span [style.inline-size.%]="trialShare()"></span></dd>
          <dd class="note">{{ trialNote() }}</dd>
        </div>
      }
    </dl>
  `,
  styleUrl: './month-summary.css',
})
export class MonthSummary {
  readonly month = input.required<UsageMonth>();
  /** The charge of the month; undefined while it is not charged. */
  readonly charge = input<ChargedMonth>();
  /** Whether the month continues. */
  readonly isOpen = input.required<boolean>();

  protected readonly amount = amountLabel;
  protected readonly totalHeading = computed(() => (this.isOpen() ? $localize`Cost so far` : $localize`Total`));
  readonly #corrected = computed(() => {
    const charge = this.charge();
    return charge && charge.corrections.length > 0 ? charge : undefined;
  });
  protected readonly total = computed(() =>
    amountLabel(this.#corrected()?.corrected_total_usd ?? this.month().total_usd),
  );
  protected readonly projected = computed(() => amountLabel(this.month().projected_total_usd));
  protected readonly totalNote = computed(() => {
    if (this.isOpen()) return $localize`until ${exactTime(new Date(this.month().as_of))}:time:`;
    const corrected = this.#corrected();
    if (!corrected) return $localize`after included usage and trial`;
    return $localize`after corrections; ${amountLabel(corrected.total_usd)}:total: was charged`;
  });
  protected readonly includedNote = computed(() => {
    const included = this.month().account.monthly_included_usd;
    // An API of the previous version does not state it.
    if (typeof included !== 'string') return '';
    return $localize`of ${amountLabel(included)}:amount: included each month`;
  });
  protected readonly periodNote = computed(() => $localize`in ${monthLabel(this.month().period)}:month:`);
  protected readonly trialNote = computed(() => {
    const trial = this.month().account.trial;
    if (!trial) return '';
    const [covered, cap] = [amountLabel(trial.covered_usd), amountLabel(trial.cap_usd)];
    const end = exactTime(new Date(trial.ends_at));
    const used = this.isOpen()
      ? $localize`${covered}:covered: of ${cap}:cap: are used so far.`
      : $localize`${covered}:covered: of ${cap}:cap: were used by the end of the month.`;
    const time =
      trial.ends_at > this.month().as_of
        ? $localize`The trial ends on ${end}:time:.`
        : $localize`The trial ended on ${end}:time:.`;
    return `${used} ${time}`;
  });
  protected readonly trialShare = computed(() => {
    const trial = this.month().account.trial;
    return trial ? percentOf(trial.covered_usd, trial.cap_usd) : 0;
  });
}

/** From 0 to 100. */
export function percentOf(part: string, whole: string): number {
  const cents = centsOf(whole);
  if (cents === 0n) return 0;
  return Math.min(100, Number((centsOf(part) * 100n) / cents));
}
