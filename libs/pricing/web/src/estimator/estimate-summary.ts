import { Component, computed, input } from '@angular/core';
import { formatDecimal, QUANTITY_PLACES, type Rating, type UsageCard } from '@homeport/pricing/contracts';
import { translateServerText } from '@homeport/platform/web';
import { quantityLabel, usd, usdOfCents } from '../page/price-messages';

/** The lines of an estimate and what they come to, as an invoice would show them. */
@Component({
  selector: 'hp-estimate-summary',
  templateUrl: './estimate-summary.html',
  styleUrl: './estimate-summary.css',
})
export class EstimateSummary {
  /** Undefined while what was typed cannot be rated. */
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
  protected readonly included = computed(() => less(this.rating()?.includedCents));
  protected readonly trialCovered = computed(() => less(this.rating()?.trialCoveredCents));
  protected readonly total = computed(() => {
    const rating = this.rating();
    return rating ? usdOfCents(rating.totalCents) : '–';
  });
  protected readonly usd = usd;
}

function lineDetail(sum: string, isWaived: boolean): string {
  return isWaived ? $localize`${sum}:sum:, free in the trial` : sum;
}

/** Undefined where nothing is taken off. */
function less(cents = 0n): string | undefined {
  return cents > 0n ? `−${usdOfCents(cents)}` : undefined;
}
