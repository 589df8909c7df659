import { afterNextRender, effect, inject, Injector, linkedSignal, signal, untracked } from '@angular/core';
import type { BrowserRow } from './rows';

/** The focusable parts of a row, from left to right. */
const PARTS = ['.check input', '.name a', '.actions button'] as const;
export const [CHECK_PART, NAME_PART, ACTIONS_PART] = [0, 1, 2] as const;

export interface GridFocusOptions {
  readonly host: HTMLElement;
  readonly rows: () => readonly BrowserRow[];
  /** Scrolls to a row, so that it is rendered. */
  readonly reveal: (index: number) => void;
}

/**
 * The keyboard focus of a grid: one part of one row can be reached with Tab (roving tabindex). It follows the row when
 * rows are added, removed or sorted. Create it in an injection context.
 */
export class GridFocus {
  readonly #options: GridFocusOptions;
  readonly #injector = inject(Injector);
  /** The id of the row that Tab focuses. */
  readonly #current = signal<string | undefined>(undefined);
  readonly #part = signal<number>(NAME_PART);
  readonly part = this.#part.asReadonly();
  readonly #currentIndex = linkedSignal<number>(() => {
    const at = this.#options.rows().findIndex(({ id }) => id === this.#current());
    return Math.max(0, at);
  });
  readonly currentIndex = this.#currentIndex.asReadonly();

  constructor(options: GridFocusOptions) {
    this.#options = options;
    effect(() => {
      options.rows();
      untracked(() => this.#keepFocus());
    });
  }

  /** The tabindex of a part of a row. */
  tabIndex(index: number, part: number): 0 | -1 {
    return index === this.#currentIndex() && part === this.#part() ? 0 : -1;
  }

  /** Makes a row the one that Tab focuses. */
  setCurrent(id: string): void {
    this.#current.set(id);
  }

  /** Follows a focus that the browser has moved. */
  follow({ target }: FocusEvent): void {
    const index = rowIndexOf(target);
    const row = index === undefined ? undefined : this.#options.rows()[index];
    if (!row) return;
    this.#current.set(row.id);
    const part = PARTS.findIndex((each) => (target as Element).matches(each));
    this.#part.set(Math.max(0, part));
  }

  /** Moves to the next part of a row; `step` is negative to the left. */
  movePart(index: number, step: number): void {
    this.#part.update((part) => Math.min(PARTS.length - 1, Math.max(0, part + step)));
    this.focusIndex(index);
  }

  /** Scrolls to a row and focuses it; does nothing when the row does not exist. */
  focusRow(id: string): void {
    const index = this.#options.rows().findIndex((row) => row.id === id);
    if (index !== -1) this.focusIndex(index);
  }

  focusIndex(index: number): void {
    this.#current.set(this.#options.rows()[index]?.id);
    this.#currentIndex.set(index);
    this.#options.reveal(index);
    afterNextRender({ read: () => this.#focusPart(index) }, { injector: this.#injector });
  }

  #focusPart(index: number): void {
    const row = this.#options.host.querySelector(`[data-index="${index}"]`);
    row?.querySelector<HTMLElement>(PARTS[this.#part()] ?? PARTS[NAME_PART])?.focus({ preventScroll: true });
  }

  /** Restores the focus after the rows are rendered in another order: an element that moves loses its focus. */
  #keepFocus(): void {
    const { activeElement } = this.#options.host.ownerDocument;
    if (rowIndexOf(activeElement) === undefined || !this.#options.host.contains(activeElement)) return;
    const id = this.#current();
    const read = (): void => {
      const index = this.#options.rows().findIndex((row) => row.id === id);
      const { activeElement: active, body } = this.#options.host.ownerDocument;
      if (active === body && index !== -1) this.#focusPart(index);
    };
    afterNextRender({ read }, { injector: this.#injector });
  }
}

/** The index of the row that an element belongs to; undefined outside the rows. */
export function rowIndexOf(target: EventTarget | null): number | undefined {
  const row = target instanceof Element ? target.closest('[data-index]') : null;
  return row ? Number(row.getAttribute('data-index')) : undefined;
}
