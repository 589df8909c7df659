import { Component, computed, input } from '@angular/core';
import type { PricingStatement } from '@homeport/pricing/contracts';
import { Icon } from '@homeport/platform/web';
import { dayWords, freeWords, sizeWords, unitWords, usd } from './price-words';

/** The usage card for accounts created from now on, and how to sign up. */
@Component({
  selector: 'hp-current-prices',
  imports: [Icon],
  templateUrl: './current-prices.html',
  styleUrls: ['./current-prices.css', './price-table.css'],
})
export class CurrentPrices {
  readonly statement = input.required<PricingStatement>();
  protected readonly usage = computed(() => this.statement().usage);
  protected readonly rules = computed(() => {
    const { hostedAgents, includedUsage, trial, cancellation } = this.statement().billingRules;
    return [hostedAgents, includedUsage, trial, cancellation].map(({ statement }) => statement);
  });
  protected readonly usd = usd;
  protected readonly unitWords = unitWords;
  protected readonly freeWords = freeWords;
  protected readonly sizeWords = sizeWords;
  protected readonly dayWords = dayWords;
}
