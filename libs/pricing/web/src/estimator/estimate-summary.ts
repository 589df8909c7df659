import { Component, computed, input } from '@angular/core';
import { formatDecimal, QUANTITY_PLACES, type Rating, type UsageCard } from '@homeport/pricing/contracts';
import { translateServerText } from '@homeport/platform/web';
import { quantityLabel, usd, usdOfCents } from '../page/price-messages';

/** Shows the lines and the total of an estimate like an invoice. */
@Component({
  selector: 'hp-estimate-summary',
  templateUrl: './estimate-summary.html',
  styleUrl: './estimate-summary.css',
})
export class EstimateSummary {
  /** Undefined while the input is invalid. */
  readonly rating = input.required<Rating | undefined>();
  readonly card = input.required<UsageCard>();

  protected readonly lines = computed(() =>
    (this.rating()?.lines ?? []).map(({ item, quantity, cents, isWaived }) => ({
      key: `${item.group}.${item.id}`,
      label: translateServerText(item.label),
      detail: lineDetail(
        `${quantityLabel(formatDecimal(quantity, QUANTITY_PLACES), item.unit)} × ${usd(item.unitUsd)}`,
        isWaived,
      ),
      amount: usdOfCents(cents),
    })),
  );
  protected readonly included = computed(() => deduction(this.rating()?.includedCents));
  protected readonly trialCovered = computed(() => deduction(this.rating()?.trialCoveredCents));
  protected readonly total = computed(() => {
    const rating = this.rating();
    return rating ? usdOfCents(rating.totalCents) : '–';
  });
  protected readonly usd = usd;
}

function lineDetail(calculation: string, isWaived: boolean): string {
  return isWaived ? $localize`${calculation}:sum:, free in the trial` : calculation;
}

/** The formatted deduction; undefined for 0. */
function deduction(cents = 0n): string | undefined {
  return cents > 0n ? `−${usdOfCents(cents)}` : undefined;
}
