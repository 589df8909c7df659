import { Component, computed, input } from '@angular/core';
import { freeWords, itemsOf, type PricingStatement, sizeLabel } from '@homeport/pricing/contracts';
import { Icon, serverText } from '@homeport/platform/web';
import { daysWords, exampleWords, unitWords, usd } from './price-words';

/** The usage card for accounts created from now on, and how to sign up. */
@Component({
  selector: 'hp-current-prices',
  imports: [Icon],
  templateUrl: './current-prices.html',
  styleUrls: ['./price-table.css', './current-prices.css'],
})
export class CurrentPrices {
  readonly statement = input.required<PricingStatement>();
  protected readonly usage = computed(() => this.statement().usage);
  protected readonly free = computed(() => this.usage().free.map((id) => serverText(freeWords(id).label)));
  protected readonly domains = computed(() => itemsOf(this.usage()).filter(({ group }) => group === 'domains'));
  protected readonly meters = computed(() => {
    const card = this.usage();
    const counted = itemsOf(card).filter(({ group, id }) => group === 'meters' && !card.free.includes(id));
    return counted.map((item) => ({ ...item, label: serverText(item.label), example: exampleWords(item, card) }));
  });
  protected readonly usd = usd;
  protected readonly unitWords = unitWords;
  protected readonly daysWords = daysWords;
  protected readonly serverText = serverText;

  protected sizeWords(size: string): string {
    return serverText(sizeLabel(size));
  }
}
