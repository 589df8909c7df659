import { computed, DestroyRef, inject, Service, signal } from '@angular/core';

/** A step on the way to the page that is open; the last one is the page itself and leads nowhere. */
export interface TrailStep {
  readonly label: string;
  readonly link?: readonly string[];
}

/** The way to the page that is open, which the shell shows above it. */
@Service()
export class PageTrail {
  readonly #source = signal<(() => readonly TrailStep[]) | undefined>(undefined);
  readonly steps = computed(() => this.#source()?.() ?? []);

  show(steps: () => readonly TrailStep[]): void {
    this.#source.set(steps);
  }

  /** Takes it back, unless another page has shown its own since. */
  withdraw(steps: () => readonly TrailStep[]): void {
    this.#source.update((current) => (current === steps ? undefined : current));
  }
}

/** Shows a trail as long as the page lives. Call it in an injection context. */
export function pageTrail(steps: () => readonly TrailStep[]): void {
  const trail = inject(PageTrail);
  trail.show(steps);
  inject(DestroyRef).onDestroy(() => trail.withdraw(steps));
}
