import { inject, DestroyRef, Service, signal } from '@angular/core';

const TICK_MS = 30_000;

/** The current time as a signal, updated twice a minute to keep relative times correct. */
@Service()
export class Clock {
  readonly #now = signal(new Date());
  readonly now = this.#now.asReadonly();

  constructor() {
    const timer = setInterval(() => this.#now.set(new Date()), TICK_MS);
    inject(DestroyRef).onDestroy(() => clearInterval(timer));
  }
}
