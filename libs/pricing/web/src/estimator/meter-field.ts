import { Component, computed, input, model } from '@angular/core';
import { type CardItem } from '@homeport/pricing/contracts';
import { translateServerText } from '@homeport/platform/web';
import { quantityLabel, pricePerUnit } from '../page/price-messages';
import { positionOf, scaleFor } from './scale';
import { normalizedQuantity } from './usage-form';

/** Input for metered usage: a slider for a rough value and a text field for the exact one. */
@Component({
  selector: 'hp-meter-field',
  template: `
    <div class="name">
      <label [for]="id()">{{ label() }}</label>
      <span class="price">{{ price() }}</span>
    </div>
    <input
      #slider
      type="range"
      min="0"
      step="1"
      [max]="scale().length - 1"
      [value]="position()"
      [attr.aria-label]="sliderLabel()"
      [attr.aria-valuetext]="valueText()"
      (input)="move(slider.valueAsNumber)"
    />
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
    @if (fault(); as text) {
      <p class="fault" [id]="id() + '-fault'">{{ text }}</p>
    }
  `,
  styleUrls: ['./quantity.css', './meter-field.css'],
})
export class MeterField {
  readonly item = input.required<CardItem>();
  /** The unparsed input text. */
  readonly quantity = model.required<string>();
  readonly fault = input<string>();

  protected readonly id = computed(() => `quantity-${this.item().group}-${this.item().id}`);
  protected readonly scale = computed(() => scaleFor(this.item().unitUsd));
  protected readonly position = computed(() => positionOf(normalizedQuantity(this.quantity()), this.scale()));
  protected readonly valueText = computed(() => quantityLabel(String(this.scale()[this.position()]), this.item().unit));
  protected readonly label = computed(() => translateServerText(this.item().label));
  protected readonly sliderLabel = computed(() => $localize`${this.label()}:item:, in steps`);
  protected readonly price = computed(() => pricePerUnit(this.item()));

  protected move(position: number): void {
    const step = this.scale()[position];
    this.quantity.set(step ? String(step) : '');
  }
}
