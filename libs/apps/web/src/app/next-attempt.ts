import { Component, computed, DestroyRef, inject, input, signal } from '@angular/core';
import { exactTime } from '@homeport/platform/web';
import { timeUntil } from '../shared/time-until';

const TICK_MS = 1_000;

/** A countdown to the next attempt. */
@Component({
  selector: 'hp-next-attempt',
  template: `<time [attr.datetime]="at()" [title]="exact()">{{ words() }}</time>`,
})
export class NextAttempt {
  /** An RFC 3339 timestamp. */
  readonly at = input.required<string>();
  readonly #now = signal(new Date());
  readonly #date = computed(() => new Date(this.at()));
  protected readonly words = computed(() => timeUntil(this.#date(), this.#now()));
  protected readonly exact = computed(() => exactTime(this.#date()));

  constructor() {
    const timer = setInterval(() => this.#now.set(new Date()), TICK_MS);
    inject(DestroyRef).onDestroy(() => clearInterval(timer));
  }
}
