import { afterNextRender, DOCUMENT, effect, ElementRef, inject, Injector } from '@angular/core';

/**
 * Gives the focus to another place when what had it goes: whoever was there must not be left nowhere. Call it in the
 * injection context of the component.
 * @param change what makes things in the component go.
 */
export function restoreFocus(change: () => unknown, place: () => { focus(): void } | undefined): void {
  const document = inject(DOCUMENT);
  const host = inject<ElementRef<HTMLElement>>(ElementRef).nativeElement;
  const injector = inject(Injector);
  effect(() => {
    change();
    if (!host.contains(document.activeElement)) return;
    const isLost = (): boolean => document.activeElement === null || document.activeElement === document.body;
    afterNextRender(() => isLost() && place()?.focus(), { injector });
  });
}
