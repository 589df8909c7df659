import { DestroyRef, inject } from '@angular/core';

const LONG_PRESS_MS = 450;
/** A finger that moves further than this scrolls. */
const STILL_PX = 10;

export interface PointerTarget {
  readonly isSelecting: () => boolean;
  readonly toggle: (index: number) => void;
  readonly extend: (index: number) => void;
}

/**
 * Selecting with mouse and finger: with Shift or Ctrl beside the name, by a long press, and by taps from then on. It sees
 * a click before the link under it does. Call it in an injection context.
 */
export function watchPointer(host: HTMLElement, target: PointerTarget): void {
  const press = new LongPress(target);
  const listeners = new AbortController();
  const on = <K extends keyof HTMLElementEventMap>(type: K, listen: (event: HTMLElementEventMap[K]) => void): void =>
    host.addEventListener(type, listen, { capture: true, signal: listeners.signal });
  on('pointerdown', (event) => press.begin(event));
  on('pointermove', (event) => press.move(event));
  on('pointerup', () => press.end());
  on('pointercancel', () => press.end());
  on('contextmenu', (event) => {
    // The finger has said what it wants.
    if (press.isTouch) event.preventDefault();
  });
  on('click', (event) => {
    if (press.takeClick() || isForSelection(event, target)) {
      event.preventDefault();
      event.stopPropagation();
    }
  });
  inject(DestroyRef).onDestroy(() => {
    press.end();
    listeners.abort();
  });
}

/** Selects what a click is meant to select. @returns whether it was meant so. */
function isForSelection(event: MouseEvent, { isSelecting, toggle, extend }: PointerTarget): boolean {
  const at = event.target as Element;
  const index = rowAt(at);
  if (index === undefined || at.closest('.check, .actions')) return false;
  const onLink = at.closest('a') !== null;
  const isTouch = (event as PointerEvent).pointerType === 'touch';
  if (event.shiftKey && event.detail > 0) extend(index);
  else if (!onLink && (event.ctrlKey || event.metaKey)) toggle(index);
  else if (isSelecting() && (isTouch || !onLink)) toggle(index);
  else return false;
  return true;
}

class LongPress {
  readonly #target: PointerTarget;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #from = { x: 0, y: 0 };
  /** The click that follows the press belongs to it. */
  #ownsClick = false;
  isTouch = false;

  constructor(target: PointerTarget) {
    this.#target = target;
  }

  begin({ pointerType, target, clientX: x, clientY: y }: PointerEvent): void {
    this.end();
    this.#ownsClick = false;
    this.isTouch = pointerType === 'touch';
    const index = rowAt(target as Element);
    if (!this.isTouch || index === undefined || (target as Element).closest('.check, .actions')) return;
    this.#from = { x, y };
    this.#timer = setTimeout(() => {
      this.#ownsClick = true;
      this.#target.toggle(index);
    }, LONG_PRESS_MS);
  }

  move({ clientX, clientY }: PointerEvent): void {
    if (Math.hypot(clientX - this.#from.x, clientY - this.#from.y) > STILL_PX) this.end();
  }

  end(): void {
    clearTimeout(this.#timer);
  }

  takeClick(): boolean {
    const owned = this.#ownsClick;
    this.#ownsClick = false;
    return owned;
  }
}

function rowAt(element: Element): number | undefined {
  const row = element.closest('[data-index]');
  return row ? Number(row.getAttribute('data-index')) : undefined;
}
