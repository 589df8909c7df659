import { Component, computed, inject, input } from '@angular/core';
import { Clock } from '../../format/clock';
import { exactTime, relativeTime } from '../../format/relative-time';

/** A relative time with the exact time in its tooltip. */
@Component({
  selector: 'hp-relative-time',
  template: `<time [attr.datetime]="at()" [title]="exact()">{{ relative() }}</time>`,
})
export class RelativeTime {
  /** An RFC 3339 timestamp. */
  readonly at = input.required<string>();
  readonly #clock = inject(Clock);
  readonly #date = computed(() => new Date(this.at()));
  protected readonly relative = computed(() => relativeTime(this.#date(), this.#clock.now()));
  protected readonly exact = computed(() => exactTime(this.#date()));
}
