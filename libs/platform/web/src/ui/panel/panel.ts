import { createFlexibleConnectedPositionStrategy, createOverlayRef } from '@angular/cdk/overlay';
import { createRepositionScrollStrategy, type ConnectedPosition } from '@angular/cdk/overlay';
import { ComponentPortal } from '@angular/cdk/portal';
import { Injector, type Type } from '@angular/core';
import { PanelRef } from './panel-ref';

const GAP = 6;
/** Below and flush with the end of its button first; where there is no room, above it or flush with the start. */
const POSITIONS: ConnectedPosition[] = [
  { originX: 'end', originY: 'bottom', overlayX: 'end', overlayY: 'top', offsetY: GAP },
  { originX: 'start', originY: 'bottom', overlayX: 'start', overlayY: 'top', offsetY: GAP },
  { originX: 'end', originY: 'top', overlayX: 'end', overlayY: 'bottom', offsetY: -GAP },
];

/** Opens a component beside a button. It goes with Escape, with a press elsewhere and by its own `PanelRef`. */
export function openPanel(injector: Injector, origin: HTMLElement, component: Type<unknown>): PanelRef {
  const positionStrategy = createFlexibleConnectedPositionStrategy(injector, origin)
    .withPositions(POSITIONS)
    .withViewportMargin(8)
    // Beside its button in the document, too: for those who read it in order, and within the same landmark.
    .withPopoverLocation('inline')
    .withPush();
  const overlay = createOverlayRef(injector, {
    usePopover: true,
    positionStrategy,
    scrollStrategy: createRepositionScrollStrategy(injector),
  });
  const panel = new PanelRef(() => {
    const held = overlay.overlayElement.contains(document.activeElement);
    overlay.dispose();
    if (held) origin.focus();
  });
  overlay.attach(
    new ComponentPortal(
      component,
      null,
      Injector.create({ parent: injector, providers: [{ provide: PanelRef, useValue: panel }] }),
    ),
  );
  overlay.keydownEvents().subscribe((event) => {
    // Tab leads out of a menu, to what comes after its button.
    const isLeft = event.key === 'Tab' && overlay.overlayElement.querySelector('[role="menu"]') !== null;
    if (event.key === 'Escape') event.preventDefault();
    else if (!isLeft) return;
    panel.close();
  });
  overlay.outsidePointerEvents().subscribe(({ target }) => {
    // The button itself closes by being pressed.
    if (!(target instanceof Node && origin.contains(target))) panel.close();
  });
  return panel;
}
