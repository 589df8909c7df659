import { DestroyRef, DOCUMENT, inject, signal, type Signal } from '@angular/core';

/** Rows from `first` up to but not including `last`. */
export interface RowRange {
  readonly first: number;
  readonly last: number;
}

/** Rows beyond what is seen, so that a flick does not run into nothing. */
const OVERSCAN_ROWS = 12;
/** The range moves in steps, not with every pixel. */
const STEP = 8;

export interface RowViewport {
  /** Pixels by which the list has been scrolled past the top of the window; negative while it begins below it. */
  readonly top: number;
  /** Of the window, in pixels. */
  readonly height: number;
  readonly rowHeight: number;
  readonly rows: number;
}

/** The rows to be drawn for what is seen of the list. */
export function visibleRange({ top, height, rowHeight, rows }: RowViewport): RowRange {
  const first = Math.floor(Math.max(0, top / rowHeight - OVERSCAN_ROWS) / STEP) * STEP;
  const last = Math.ceil((Math.max(0, top + height) / rowHeight + OVERSCAN_ROWS) / STEP) * STEP;
  return { first: Math.min(first, Math.max(0, rows - STEP)), last: Math.min(rows, Math.max(last, STEP)) };
}

export interface RowVirtualizerOptions {
  /** What the rows lie in, all of them: it is as high as they would be together. */
  readonly body: () => HTMLElement | undefined;
  readonly rowHeight: Signal<number>;
  readonly rows: () => number;
}

/**
 * Which rows of a long list are drawn while the page scrolls. The CDK's virtual scroll gives the elements of rows out of
 * sight to others; here a row keeps its own, so the focus stays on its row however far one scrolls. Call it in an
 * injection context.
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

  /** How many rows there is room for at once. */
  pageRows(): number {
    return Math.max(1, Math.floor((this.#window.innerHeight * 0.7) / this.#options.rowHeight()));
  }

  /** Scrolls as little as is needed for a row to stand free of what covers the edges of the window. */
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
