import type { ConnectedPosition } from '@angular/cdk/overlay';

/** Below a button, aligned to its end: the buttons of the file browser are at the end of their column. */
export const MENU_POSITIONS: ConnectedPosition[] = [
  { originX: 'end', originY: 'bottom', overlayX: 'end', overlayY: 'top', offsetY: 4 },
  { originX: 'start', originY: 'bottom', overlayX: 'start', overlayY: 'top', offsetY: 4 },
];
