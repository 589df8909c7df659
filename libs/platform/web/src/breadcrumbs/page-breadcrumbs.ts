import { computed, DestroyRef, inject, Service, signal } from '@angular/core';

/** One step of the path to the current page; the last step is the page itself and has no link. */
export interface Breadcrumb {
  readonly label: string;
  readonly link?: readonly string[];
}

/** The breadcrumbs of the current page, shown by the shell. */
@Service()
export class PageBreadcrumbs {
  readonly #source = signal<(() => readonly Breadcrumb[]) | undefined>(undefined);
  readonly steps = computed(() => this.#source()?.() ?? []);

  show(steps: () => readonly Breadcrumb[]): void {
    this.#source.set(steps);
  }

  /** Removes the breadcrumbs, unless another page has replaced them. */
  withdraw(steps: () => readonly Breadcrumb[]): void {
    this.#source.update((current) => (current === steps ? undefined : current));
  }
}

/** Shows breadcrumbs until the page is destroyed. Requires an injection context. */
export function pageBreadcrumbs(steps: () => readonly Breadcrumb[]): void {
  const breadcrumbs = inject(PageBreadcrumbs);
  breadcrumbs.show(steps);
  inject(DestroyRef).onDestroy(() => breadcrumbs.withdraw(steps));
}
