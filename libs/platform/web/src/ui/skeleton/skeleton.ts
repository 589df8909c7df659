import { Component, computed, input } from '@angular/core';

/** A loading placeholder. It appears after 150 ms, so that fast responses do not flicker. */
@Component({
  selector: 'hp-skeleton',
  template: `
    <span class="visually-hidden" role="status" i18n>Loading…</span>
    @for (row of list(); track row) {
      <span class="item"
        ><span class="bar" [style.width.%]="92 - ((row * 29) % 41)" [style.height.px]="height()"></span
      ></span>
    }
  `,
  host: { '[class]': 'shape()' },
})
export class Skeleton {
  /** Like what is loading, so that the page keeps its shape: lines of text, rows of a list, or cards. */
  readonly shape = input<'lines' | 'rows' | 'cards'>('lines');
  readonly rows = input(5);
  /** Row height in pixels. */
  readonly height = input(16);
  protected readonly list = computed(() => Array.from({ length: this.rows() }, (_, index) => index));
}
