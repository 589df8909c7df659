import { afterNextRender, DOCUMENT, inject, Injector } from '@angular/core';
import { takeUntilDestroyed } from '@angular/core/rxjs-interop';
import { NavigationEnd, Router } from '@angular/router';
import { filter, map, pairwise } from 'rxjs';

/** Moves the focus to the heading after each navigation to another page. Requires an injection context. */
export function focusOnNavigation(): void {
  const injector = inject(Injector);
  const document = inject(DOCUMENT);
  inject(Router)
    .events.pipe(
      filter((event) => event instanceof NavigationEnd),
      map(({ urlAfterRedirects }) => urlAfterRedirects.replace(/[?#].*/, '')),
      pairwise(),
      filter(([before, after]) => before !== after),
      takeUntilDestroyed(),
    )
    .subscribe(() => {
      const focus = (): void => document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true });
      afterNextRender({ read: focus }, { injector });
    });
}
