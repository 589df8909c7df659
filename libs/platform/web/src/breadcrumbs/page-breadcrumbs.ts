import { computed, DestroyRef, inject, Service, signal } from '@angular/core';

/** A step on the way to the page that is open; the last one is the page itself and leads nowhere. */
export interface Breadcrumb {
  readonly label: string;
  readonly link?: readonly string[];
}

/** The way to the page that is open, which the shell shows above it. */
@Service()
export class PageBreadcrumbs {
  readonly #source = signal<(() => readonly Breadcrumb[]) | undefined>(undefined);
  readonly steps = computed(() => this.#source()?.() ?? []);

  show(steps: () => readonly Breadcrumb[]): void {
    this.#source.set(steps);
  }

  /** Takes it back, unless another page has shown its own since. */
  withdraw(steps: () => readonly Breadcrumb[]): void {
    this.#source.update((current) => (current === steps ? undefined : current));
  }
}

/** Shows a trail as long as the page lives. Call it in an injection context. */
export function pageBreadcrumbs(steps: () => readonly Breadcrumb[]): void {
  const trail = inject(PageBreadcrumbs);
  trail.show(steps);
  inject(DestroyRef).onDestroy(() => trail.withdraw(steps));
}
