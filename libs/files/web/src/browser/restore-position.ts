import { afterNextRender, effect, type ElementRef, inject, Injector, untracked } from '@angular/core';
import { DirectoryScrollRestoration } from './directory-scroll-restoration';

export interface PositionOptions {
  readonly path: () => string;
  readonly isLoaded: () => boolean;
  /** The bar above the list; it is absent while the directory is empty. */
  readonly bar: () => ElementRef<HTMLElement> | undefined;
  /** Receives the pixels at the top of the window that the bar covers. */
  readonly barMeasured: (coveredTop: number) => void;
  readonly focusRow: (id: string) => void;
}

/** Restores the previous scroll position and focus once the rows of a directory are rendered. */
export function restorePositionAfterRender({ path, isLoaded, bar, barMeasured, focusRow }: PositionOptions): void {
  const scrollRestoration = inject(DirectoryScrollRestoration);
  const injector = inject(Injector);
  let restoredPath: string | undefined;
  const restore = (current: string, element: HTMLElement): void => {
    const { scroll, row } = scrollRestoration.positionIn(current);
    const read = (): void => {
      barMeasured(element.offsetHeight + Number.parseFloat(getComputedStyle(element).top));
      // After the router and the shell have set the scroll position and the focus, as they do on every page.
      requestAnimationFrame(() => {
        if (scroll !== undefined) scrollTo({ top: scroll, behavior: 'instant' });
        if (row !== undefined) focusRow(row);
      });
    };
    afterNextRender({ read }, { injector });
  };
  effect(() => {
    const [current, element] = [path(), bar()?.nativeElement];
    if (!isLoaded() || restoredPath === current || !element) return;
    restoredPath = current;
    untracked(() => restore(current, element));
  });
}
