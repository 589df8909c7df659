import { Component, computed, input } from '@angular/core';
import { exactTime, translateServerText } from '@homeport/platform/web';
import type { ChargeCorrection, ChargedMonth, UsageLine, UsageMonth } from '@homeport/usage/contracts';
import { centsOf } from '../cents';
import { amountLabel, deductionLabel, priceLabel, signedAmountLabel, usageQuantityLabel } from '../usage-messages';

/** The items of a month with their quantities, prices and amounts, like an invoice. */
@Component({
  selector: 'hp-month-lines',
  templateUrl: './month-lines.html',
  styleUrl: './month-lines.css',
})
export class MonthLines {
  readonly month = input.required<UsageMonth>();
  /** The charge of the month, whose sentences explain the lines; undefined while it is not charged. */
  readonly charge = input<ChargedMonth>();

  protected readonly lines = computed(() => {
    const sentences = new Map(this.charge()?.lines.map((line) => [keyOf(line), line.sentence]));
    return this.month()
      .lines.filter(({ quantity }) => quantity !== '0')
      .map((line) => ({
        key: keyOf(line),
        label: translateServerText(line.label),
        tag: tagOf(line),
        quantity: usageQuantityLabel(line.quantity, line.unit),
        late: lateNote(line),
        price: priceLabel(line.unit_usd),
        amount: amountLabel(line.amount_usd),
        sentence: sentences.get(keyOf(line)),
      }));
  });
  protected readonly sum = computed(() => {
    const cents = this.month().lines.reduce((total, line) => total + centsOf(line.amount_usd), 0n);
    return amountLabel(`${cents / 100n}.${String(cents % 100n).padStart(2, '0')}`);
  });
  protected readonly included = computed(() => deductionLabel(this.month().included_usd));
  protected readonly trial = computed(() => deductionLabel(this.month().trial_covered_usd));
  protected readonly total = computed(() => amountLabel(this.month().total_usd));
  protected readonly corrections = computed(() => {
    const labels = new Map(this.month().lines.map(({ item, label }) => [item, translateServerText(label)]));
    return (this.charge()?.corrections ?? []).map((correction) => ({
      reference: correction.reference,
      label: correctionLabel(correction, labels),
      reason: correction.reason,
      amount: signedAmountLabel(correction.amount_usd),
    }));
  });
  protected readonly correctedTotal = computed(() => {
    const charge = this.charge();
    return charge && charge.corrections.length > 0 ? amountLabel(charge.corrected_total_usd) : undefined;
  });
}

function correctionLabel({ reference, item, corrected_at }: ChargeCorrection, labels: Map<string, string>): string {
  const day = exactTime(new Date(corrected_at));
  return item === null
    ? $localize`Correction ${reference}:reference: of ${day}:time:`
    : $localize`Correction ${reference}:reference: of ${day}:time:: ${labels.get(item) ?? item}:item:`;
}

/** An item has two lines in the month in which the trial ends. */
function keyOf({ item, in_trial }: Pick<UsageLine, 'item' | 'in_trial'>): string {
  return `${item} ${in_trial}`;
}

function tagOf({ waived, in_trial }: UsageLine): string | undefined {
  if (waived) return $localize`free in the trial`;
  return in_trial ? $localize`in the trial` : undefined;
}

function lateNote({ late_quantity, unit }: UsageLine): string | undefined {
  if (late_quantity === '0') return undefined;
  const late = usageQuantityLabel(late_quantity, unit);
  return $localize`Includes ${late}:quantity: that were used in earlier months and are counted in this one.`;
}
