import { Component, computed, input } from '@angular/core';

/** A loading placeholder. It appears after 150 ms, so that fast responses do not flicker. */
@Component({
  selector: 'hp-skeleton',
  template: `
    <span class="visually-hidden" role="status" i18n>Loading…</span>
    @for (row of list(); track row) {
      <span class="bar" [style.width.%]="92 - ((row * 29) % 41)" [style.height.px]="height()"></span>
    }
  `,
  styleUrl: './skeleton.css',
})
export class Skeleton {
  readonly rows = input(5);
  /** Row height in pixels. */
  readonly height = input(16);
  protected readonly list = computed(() => Array.from({ length: this.rows() }, (_, index) => index));
}
