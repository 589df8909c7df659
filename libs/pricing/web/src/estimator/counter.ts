import { Component, computed, input, model } from '@angular/core';
import { formatDecimal, type CardItem, QUANTITY_PLACES, quantityOf } from '@homeport/pricing/contracts';
import { Icon, translateServerText } from '@homeport/platform/web';
import { perUnitLabel, usd } from '../page/price-messages';
import { normalizedQuantity, localizedQuantity } from './usage-form';

const ONE = quantityOf(1);

/** Input for a small number of items, with buttons to add or remove one. */
@Component({
  selector: 'hp-counter',
  imports: [Icon],
  template: `
    <div class="name">
      <label [for]="id()">{{ label() }}</label>
      <span class="price">{{ usd(item().unitUsd) }} {{ perUnitLabel(item().unit) }}</span>
    </div>
    <div class="count">
      <button
        type="button"
        class="icon-button"
        [attr.aria-label]="decreaseLabel()"
        [attr.aria-disabled]="isNone()"
        (click)="step(-ONE)"
      >
        <hp-icon name="minus" />
      </button>
      <span class="field">
        <input
          #field
          type="text"
          inputmode="decimal"
          autocomplete="off"
          placeholder="0"
          [id]="id()"
          [value]="quantity()"
          [attr.aria-invalid]="fault() ? 'true' : null"
          [attr.aria-describedby]="fault() ? id() + '-fault' : null"
          (input)="quantity.set(field.value)"
        />
      </span>
      <button type="button" class="icon-button" [attr.aria-label]="increaseLabel()" (click)="step(ONE)">
        <hp-icon name="plus" />
      </button>
    </div>
    @if (fault(); as text) {
      <p class="fault" [id]="id() + '-fault'">{{ text }}</p>
    }
  `,
  styleUrls: ['./quantity.css', './counter.css'],
})
export class Counter {
  readonly item = input.required<CardItem>();
  /** The unparsed input text. */
  readonly quantity = model.required<string>();
  readonly fault = input<string>();

  protected readonly id = computed(() => `quantity-${this.item().group}-${this.item().id}`);
  protected readonly label = computed(() => translateServerText(this.item().label));
  protected readonly decreaseLabel = computed(() => $localize`One less: ${this.label()}:item:`);
  protected readonly increaseLabel = computed(() => $localize`One more: ${this.label()}:item:`);
  readonly #count = computed(() => parseCount(this.quantity()));
  protected readonly isNone = computed(() => this.#count() === 0n);
  protected readonly usd = usd;
  protected readonly perUnitLabel = perUnitLabel;
  protected readonly ONE = ONE;

  protected step(by: bigint): void {
    const count = this.#count() + by;
    this.quantity.set(count > 0n ? localizedQuantity(formatDecimal(count, QUANTITY_PLACES)) : '');
  }
}

/** Parses the input; 0 when it is not a valid quantity. */
function parseCount(text: string): bigint {
  try {
    return quantityOf(normalizedQuantity(text));
  } catch {
    return 0n;
  }
}
