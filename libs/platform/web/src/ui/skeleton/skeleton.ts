import { Component, computed, input } from '@angular/core';

/** The shape of what is coming. It shows after 150 ms, so that quick answers do not flicker. */
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
  /** Pixels of one row. */
  readonly height = input(16);
  protected readonly list = computed(() => Array.from({ length: this.rows() }, (_, index) => index));
}
