import { Component, computed, input } from '@angular/core';
import type { PricingStatement } from '@homeport/pricing/contracts';
import { Icon } from '@homeport/platform/web';
import { dayWords, sizeWords, unitWords, usd } from './price-words';

/** Prices that only older accounts still have; folded away. */
@Component({
  selector: 'hp-legacy-prices',
  imports: [Icon],
  templateUrl: './legacy-prices.html',
  styleUrls: ['./price-table.css', './legacy-prices.css'],
})
export class LegacyPrices {
  readonly statement = input.required<PricingStatement>();
  protected readonly addOns = computed(() => {
    const { outpost, meetingHours } = this.statement().addOns;
    return [
      { ...outpost, priceUsd: outpost.monthlyUsd, note: '' },
      { ...meetingHours, priceUsd: meetingHours.unitUsd, note: `${meetingHours.includedPerMonth} included a month` },
    ];
  });
  protected readonly usd = usd;
  protected readonly unitWords = unitWords;
  protected readonly sizeWords = sizeWords;
  protected readonly dayWords = dayWords;
}
