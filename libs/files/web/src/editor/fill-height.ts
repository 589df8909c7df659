import { afterEveryRender, DestroyRef, Directive, ElementRef, inject } from '@angular/core';

const LEAST = 280;

/** Makes an element reach down to the end of the window, whatever stands above it, so that it scrolls inside. */
@Directive({ selector: '[hpFillHeight]' })
export class FillHeight {
  readonly #element = inject<ElementRef<HTMLElement>>(ElementRef).nativeElement;

  constructor() {
    const fit = (): void => this.#fit();
    afterEveryRender({ mixedReadWrite: fit });
    const watch = new ResizeObserver(fit);
    watch.observe(document.documentElement);
    inject(DestroyRef).onDestroy(() => watch.disconnect());
  }

  #fit(): void {
    const top = this.#element.getBoundingClientRect().top + scrollY;
    const height = `max(${LEAST}px, calc(100dvh - ${Math.ceil(top + this.#below())}px))`;
    if (this.#element.style.height !== height) this.#element.style.height = height;
  }

  /** What the page keeps free below it. */
  #below(): number {
    let below = 0;
    for (let each = this.#element.parentElement; each; each = each.parentElement) {
      const { paddingBottom, borderBottomWidth } = getComputedStyle(each);
      below += parseFloat(paddingBottom) + parseFloat(borderBottomWidth);
    }
    return below;
  }
}
