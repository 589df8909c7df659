import { afterRenderEffect, computed, type ElementRef, type Signal, untracked } from '@angular/core';
import { mediaQuery } from '../media-query';
import { type GridRow, toGridRow } from './grid-row';
import { RowVirtualizer } from './row-virtualizer';
import type { BrowserRow } from './rows';

export interface RenderedRowsOptions {
  readonly rows: () => readonly BrowserRow[];
  /** The index of the row that stays rendered outside the visible range, so that it keeps the focus. */
  readonly currentIndex: () => number;
  readonly body: () => ElementRef<HTMLElement>;
  /** Pixels at the top of the window that other elements cover. */
  readonly coveredTop: () => number;
}

/** The height of the sticky column headings in pixels. */
const HEAD_HEIGHT = 40;
const MARGIN = 8;

/** The rows of a long list that are rendered for the scroll position. Create it in an injection context. */
export class RenderedRows {
  readonly #options: RenderedRowsOptions;
  readonly #virtualizer: RowVirtualizer;
  readonly #isTall = mediaQuery('(pointer: coarse), (max-width: 639px)');
  readonly rowHeight = computed(() => (this.#isTall() ? 56 : 44));
  /** In the order of the list: screen readers read the rows in the order of the DOM. */
  readonly rows: Signal<readonly GridRow[]> = computed(() => {
    const rows = this.#options.rows();
    const { first, last } = this.#virtualizer.range();
    const indices = Array.from({ length: Math.max(0, Math.min(last, rows.length) - first) }, (_, at) => first + at);
    const current = this.#options.currentIndex();
    if (current < first) indices.unshift(current);
    else if (current >= last) indices.push(current);
    return indices.flatMap((index) => {
      const row = rows[index];
      return row ? [toGridRow(row, index)] : [];
    });
  });
  constructor(options: RenderedRowsOptions) {
    this.#options = options;
    this.#virtualizer = new RowVirtualizer({
      body: () => options.body().nativeElement,
      rowHeight: this.rowHeight,
      rows: () => untracked(options.rows).length,
    });
    afterRenderEffect(() => {
      options.rows();
      this.rowHeight();
      untracked(() => this.#virtualizer.measure());
    });
  }

  /** The number of rows that PageUp and PageDown move by. */
  pageRows(): number {
    return this.#virtualizer.pageRows();
  }

  /** Scrolls as little as needed to make a row visible between the headings and the tab bar. */
  reveal(index: number): void {
    const style = getComputedStyle(this.#options.body().nativeElement);
    const tabs = Number.parseFloat(style.getPropertyValue('--tabs-height')) || 0;
    this.#virtualizer.reveal(index, { top: this.#options.coveredTop() + HEAD_HEIGHT, bottom: tabs + MARGIN });
  }
}
