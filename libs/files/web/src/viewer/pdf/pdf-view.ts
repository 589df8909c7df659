import {
  afterRenderEffect,
  Component,
  computed,
  DestroyRef,
  ElementRef,
  inject,
  input,
  resource,
  signal,
  viewChild,
  viewChildren,
  ViewEncapsulation,
} from '@angular/core';
import { formatPercent, Icon, Skeleton } from '@homeport/platform/web';
import type { ShownFile } from '../shown-file';
import { PdfDocument, type PageSize } from './pdf-document';

const ZOOMS = [0.5, 0.75, 1, 1.25, 1.5, 2, 3] as const;
const FITTED = ZOOMS.indexOf(1);
const MAX_WIDTH = 900;

/** Shows a PDF document; pages are drawn while they are near the viewport. */
@Component({
  selector: 'hp-pdf-view',
  imports: [Icon, Skeleton],
  templateUrl: './pdf-view.html',
  styleUrl: './pdf-view.css',
  encapsulation: ViewEncapsulation.None,
})
export class PdfView {
  readonly file = input.required<ShownFile>();

  protected readonly opened = resource({
    params: () => this.file().bytes,
    loader: async ({ params, abortSignal }) => {
      const document = await PdfDocument.open(params);
      if (typeof document === 'string') return document;
      // Closes the document when the view was left while it was opening, or is left later.
      if (abortSignal.aborted) document.close();
      else abortSignal.addEventListener('abort', () => document.close(), { once: true });
      return document;
    },
  });
  protected readonly document = computed(() => {
    const value = this.opened.hasValue() ? this.opened.value() : undefined;
    return typeof value === 'object' ? value : undefined;
  });
  protected readonly fault = computed(() => {
    const value = this.opened.hasValue() ? this.opened.value() : undefined;
    return this.opened.error() ? 'broken' : typeof value === 'string' ? value : undefined;
  });
  protected readonly pages = computed(() =>
    Array.from({ length: this.document()?.pages ?? 0 }, (_, index) => index + 1),
  );
  readonly #sizes = signal<ReadonlyMap<number, PageSize>>(new Map());
  protected readonly zoom = signal<number>(FITTED);
  protected readonly percent = computed(() => formatPercent(ZOOMS[this.zoom()] ?? 1));
  protected readonly canGrow = computed(() => this.zoom() < ZOOMS.length - 1);

  readonly #availableWidth = signal(0);
  protected readonly width = computed(() =>
    Math.floor(Math.min(this.#availableWidth(), MAX_WIDTH) * (ZOOMS[this.zoom()] ?? 1)),
  );
  private readonly frame = viewChild<ElementRef<HTMLElement>>('frame');
  private readonly boxes = viewChildren<ElementRef<HTMLElement>>('page');

  constructor() {
    afterRenderEffect({
      read: (onCleanup) => {
        const frame = this.frame()?.nativeElement;
        if (!frame) return;
        const observer = new ResizeObserver(() => this.#availableWidth.set(frame.clientWidth - 32));
        observer.observe(frame);
        onCleanup(() => observer.disconnect());
      },
    });
    afterRenderEffect({ write: (onCleanup) => this.#watch(onCleanup) });
    inject(DestroyRef).onDestroy(() => this.document()?.close());
  }

  protected heightOf(page: number): number {
    const size = this.#sizes().get(page) ?? this.document()?.firstSize ?? { width: 1, height: 1 };
    return Math.round((this.width() * size.height) / size.width);
  }

  protected step(by: number): void {
    this.zoom.update((zoom) => Math.max(0, Math.min(ZOOMS.length - 1, zoom + by)));
  }

  /** Draws pages near the viewport and frees the others. */
  #watch(onCleanup: (run: () => void) => void): void {
    const document = this.document();
    const width = this.width();
    const boxes = this.boxes();
    if (!document || width <= 0) return;
    const drawn = new Map<Element, AbortController>();
    const observer = new IntersectionObserver(
      (seen) => {
        for (const { target, isIntersecting } of seen) {
          drawn.get(target)?.abort();
          drawn.delete(target);
          target.replaceChildren();
          if (!isIntersecting) continue;
          const controller = new AbortController();
          drawn.set(target, controller);
          void this.#draw(document, width, target as HTMLElement, controller.signal);
        }
      },
      { rootMargin: '800px' },
    );
    for (const { nativeElement } of boxes) observer.observe(nativeElement);
    onCleanup(() => {
      observer.disconnect();
      for (const controller of drawn.values()) controller.abort();
    });
  }

  async #draw(document: PdfDocument, width: number, box: HTMLElement, signal: AbortSignal): Promise<void> {
    const number = Number(box.dataset['page']);
    try {
      const size = await document.draw(number, width, box, signal);
      const known = this.#sizes().get(number) ?? document.firstSize;
      if (signal.aborted || (known.width === size.width && known.height === size.height)) return;
      this.#sizes.update((sizes) => new Map(sizes).set(number, size));
    } catch {
      if (!signal.aborted) box.textContent = $localize`This page is damaged and cannot be shown.`;
    }
  }
}
