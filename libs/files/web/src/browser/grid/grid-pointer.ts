import { DestroyRef, inject } from '@angular/core';

const LONG_PRESS_MS = 450;
/** A touch that moves further than this is a scroll, not a long press. */
const MAX_PRESS_MOVE_PX = 10;

export interface PointerTarget {
  readonly isSelecting: () => boolean;
  readonly toggle: (index: number) => void;
  readonly extend: (index: number) => void;
  readonly open: (index: number) => void;
}

/**
 * Selects rows by mouse and touch: with Shift, with Ctrl outside the name, by a long press, and by taps once a
 * selection exists. Opens rows by a double-click outside the name. Listens in the capture phase, before the link in the row. Call it in an injection context.
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
    // A long press selects, so it opens no context menu.
    if (!press.isTouch) return;
    event.preventDefault();
    event.stopPropagation();
  });
  on('click', (event) => {
    if (press.consumeClick() || handleSelection(event, target)) {
      event.preventDefault();
      event.stopPropagation();
    }
  });
  on('dblclick', (event) => {
    const index = rowAt(event.target as Element);
    if (index !== undefined && !press.isTouch && isPlainDoubleClick(event)) target.open(index);
  });
  inject(DestroyRef).onDestroy(() => {
    press.end();
    listeners.abort();
  });
}

/** Changes the selection when the click is a selection gesture. @returns whether it was one. */
function handleSelection(event: MouseEvent, { isSelecting, toggle, extend }: PointerTarget): boolean {
  const at = event.target as Element;
  const index = rowAt(at);
  if (index === undefined || at.closest('.actions')) return false;
  const isRange = event.shiftKey && event.detail > 0;
  if (at.closest('.check') && !isRange) return false;
  const onLink = at.closest('a') !== null;
  const isTouch = (event as PointerEvent).pointerType === 'touch';
  if (isRange) extend(index);
  else if (!onLink && (event.ctrlKey || event.metaKey)) toggle(index);
  else if (isSelecting() && (isTouch || !onLink)) toggle(index);
  else return false;
  return true;
}

/** Whether a double-click neither selects nor hits an element with an action. */
function isPlainDoubleClick({ target, shiftKey, ctrlKey, metaKey }: MouseEvent): boolean {
  return !shiftKey && !ctrlKey && !metaKey && (target as Element).closest('.check, .actions, a') === null;
}

class LongPress {
  readonly #target: PointerTarget;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #from = { x: 0, y: 0 };
  /** Whether the next click belongs to the long press. */
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
    if (Math.hypot(clientX - this.#from.x, clientY - this.#from.y) > MAX_PRESS_MOVE_PX) this.end();
  }

  end(): void {
    clearTimeout(this.#timer);
  }

  consumeClick(): boolean {
    const ownsClick = this.#ownsClick;
    this.#ownsClick = false;
    return ownsClick;
  }
}

function rowAt(element: Element): number | undefined {
  const row = element.closest('[data-index]');
  return row ? Number(row.getAttribute('data-index')) : undefined;
}
