import { afterNextRender, DOCUMENT, effect, ElementRef, inject, Injector } from '@angular/core';

/**
 * Moves the focus to another element when the focused one is removed. Requires the component's injection context.
 *
 * @param change the signal whose change may remove the focused element.
 */
export function restoreFocus(change: () => unknown, target: () => { focus(): void } | undefined): void {
  const document = inject(DOCUMENT);
  const host = inject<ElementRef<HTMLElement>>(ElementRef).nativeElement;
  const injector = inject(Injector);
  effect(() => {
    change();
    if (!host.contains(document.activeElement)) return;
    const isLost = (): boolean => document.activeElement === null || document.activeElement === document.body;
    afterNextRender(() => isLost() && target()?.focus(), { injector });
  });
}
