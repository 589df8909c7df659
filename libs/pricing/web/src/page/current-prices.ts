import { Component, computed, inject, input } from '@angular/core';
import { AuthSession } from '@homeport/identity/web';
import { freeItemLabel, itemsOf, type PricingStatement, sizeLabel } from '@homeport/pricing/contracts';
import { Icon, translateServerText } from '@homeport/platform/web';
import { dayCountLabel, exampleCostLabel, unitLabel, usd } from './price-messages';

/** Shows the usage card for new accounts and the signup options. */
@Component({
  selector: 'hp-current-prices',
  imports: [Icon],
  templateUrl: './current-prices.html',
  styleUrls: ['./price-table.css', './current-prices.css'],
})
export class CurrentPrices {
  readonly #session = inject(AuthSession);
  /** Signed-in users have an account already. */
  protected readonly isSignedIn = computed(() => this.#session.user() !== undefined);
  readonly statement = input.required<PricingStatement>();
  protected readonly usage = computed(() => this.statement().usage);
  protected readonly free = computed(() => this.usage().free.map((id) => translateServerText(freeItemLabel(id).label)));
  protected readonly domains = computed(() => itemsOf(this.usage()).filter(({ group }) => group === 'domains'));
  protected readonly meters = computed(() => {
    const card = this.usage();
    const counted = itemsOf(card).filter(({ group, id }) => group === 'meters' && !card.free.includes(id));
    return counted.map((item) => ({
      ...item,
      label: translateServerText(item.label),
      example: exampleCostLabel(item, card),
    }));
  });
  protected readonly usd = usd;
  protected readonly unitLabel = unitLabel;
  protected readonly dayCountLabel = dayCountLabel;
  protected readonly translateServerText = translateServerText;

  protected translatedSize(size: string): string {
    return translateServerText(sizeLabel(size));
  }
}
