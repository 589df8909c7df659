import { DestroyRef, DOCUMENT, inject, signal, type Signal } from '@angular/core';

/** Rows from `first` up to but not including `last`. */
export interface RowRange {
  readonly first: number;
  readonly last: number;
}

/** Rows rendered beyond the visible range, so that fast scrolling shows no empty area. */
const OVERSCAN_ROWS = 12;
/** The range moves in steps, not with every pixel. */
const STEP = 8;

export interface RowViewport {
  /** Pixels by which the list has been scrolled past the top of the window; negative while it begins below it. */
  readonly top: number;
  /** Height of the window in pixels. */
  readonly height: number;
  readonly rowHeight: number;
  readonly rows: number;
}

/** The rows to render for the visible part of the list. */
export function visibleRange({ top, height, rowHeight, rows }: RowViewport): RowRange {
  const first = Math.floor(Math.max(0, top / rowHeight - OVERSCAN_ROWS) / STEP) * STEP;
  const last = Math.ceil((Math.max(0, top + height) / rowHeight + OVERSCAN_ROWS) / STEP) * STEP;
  return { first: Math.min(first, Math.max(0, rows - STEP)), last: Math.min(rows, Math.max(last, STEP)) };
}

export interface RowVirtualizerOptions {
  /** The element that contains the rows; it is as high as all rows together. */
  readonly body: () => HTMLElement | undefined;
  readonly rowHeight: Signal<number>;
  readonly rows: () => number;
}

/**
 * Determines which rows of a long list are rendered while the page scrolls. Unlike the CDK's virtual scroll, which
 * reuses the elements of hidden rows, a row keeps its element, so the focus stays on its row. Call it in an injection context.
 */
export class RowVirtualizer {
  readonly #options: RowVirtualizerOptions;
  readonly #window = inject(DOCUMENT).defaultView as Window;
  readonly #range = signal<RowRange>(
    { first: 0, last: 48 },
    { equal: (a, b) => a.first === b.first && a.last === b.last },
  );
  readonly range = this.#range.asReadonly();

  constructor(options: RowVirtualizerOptions) {
    this.#options = options;
    const measure = (): void => this.measure();
    this.#window.addEventListener('scroll', measure, { passive: true });
    this.#window.addEventListener('resize', measure, { passive: true });
    inject(DestroyRef).onDestroy(() => {
      this.#window.removeEventListener('scroll', measure);
      this.#window.removeEventListener('resize', measure);
    });
  }

  measure(): void {
    const body = this.#options.body();
    if (!body) return;
    const top = -body.getBoundingClientRect().top;
    const { innerHeight: height } = this.#window;
    this.#range.set(visibleRange({ top, height, rowHeight: this.#options.rowHeight(), rows: this.#options.rows() }));
  }

  /** The number of rows that PageUp and PageDown move by: 70 % of the window height. */
  pageRows(): number {
    return Math.max(1, Math.floor((this.#window.innerHeight * 0.7) / this.#options.rowHeight()));
  }

  /**
   * Scrolls as little as needed to make a row visible.
   * @param covered pixels at the edges of the window that other elements cover.
   */
  reveal(index: number, covered: { readonly top: number; readonly bottom: number }): void {
    const body = this.#options.body();
    if (!body) return;
    const height = this.#options.rowHeight();
    const top = body.getBoundingClientRect().top + index * height;
    const above = top - covered.top;
    const below = top + height - (this.#window.innerHeight - covered.bottom);
    if (above < 0) this.#window.scrollBy({ top: above, behavior: 'instant' });
    else if (below > 0) this.#window.scrollBy({ top: below, behavior: 'instant' });
    this.measure();
  }
}
