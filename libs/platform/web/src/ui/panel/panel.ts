import { createFlexibleConnectedPositionStrategy, createOverlayRef } from '@angular/cdk/overlay';
import { createRepositionScrollStrategy, type ConnectedPosition } from '@angular/cdk/overlay';
import { ComponentPortal } from '@angular/cdk/portal';
import { Injector, type Type } from '@angular/core';
import { PanelRef } from './panel-ref';

const GAP = 6;
/** Below the button and aligned to its end; without space there, aligned to its start or above. */
const POSITIONS: ConnectedPosition[] = [
  { originX: 'end', originY: 'bottom', overlayX: 'end', overlayY: 'top', offsetY: GAP },
  { originX: 'start', originY: 'bottom', overlayX: 'start', overlayY: 'top', offsetY: GAP },
  { originX: 'end', originY: 'top', overlayX: 'end', overlayY: 'bottom', offsetY: -GAP },
];

/** Opens a component next to a button. Escape, a press outside and its `PanelRef` close it. */
export function openPanel(injector: Injector, origin: HTMLElement, component: Type<unknown>): PanelRef {
  const positionStrategy = createFlexibleConnectedPositionStrategy(injector, origin)
    .withPositions(POSITIONS)
    .withViewportMargin(8)
    // Inserted next to its button in the document too, for the reading order and the same landmark.
    .withPopoverLocation('inline')
    .withPush();
  const overlay = createOverlayRef(injector, {
    usePopover: true,
    positionStrategy,
    scrollStrategy: createRepositionScrollStrategy(injector),
  });
  const panel = new PanelRef(() => {
    const hadFocus = overlay.overlayElement.contains(document.activeElement);
    overlay.dispose();
    if (hadFocus) origin.focus();
  });
  overlay.attach(
    new ComponentPortal(
      component,
      null,
      Injector.create({ parent: injector, providers: [{ provide: PanelRef, useValue: panel }] }),
    ),
  );
  overlay.keydownEvents().subscribe((event) => {
    // Tab leaves a menu and moves to the element after its button.
    const isLeft = event.key === 'Tab' && overlay.overlayElement.querySelector('[role="menu"]') !== null;
    if (event.key === 'Escape') event.preventDefault();
    else if (!isLeft) return;
    panel.close();
  });
  overlay.outsidePointerEvents().subscribe(({ target }) => {
    // A press on the button closes the panel in the button itself.
    if (!(target instanceof Node && origin.contains(target))) panel.close();
  });
  return panel;
}
