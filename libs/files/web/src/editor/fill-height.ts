import { afterEveryRender, DestroyRef, Directive, ElementRef, inject } from '@angular/core';

const MIN_HEIGHT_PX = 280;

/** Makes an element fill the window down to its lower edge, so that its content scrolls inside. */
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
    const height = `max(${MIN_HEIGHT_PX}px, calc(100dvh - ${Math.ceil(top + this.#below())}px))`;
    if (this.#element.style.height !== height) this.#element.style.height = height;
  }

  /** The space that the ancestors need below the element, in pixels. */
  #below(): number {
    let below = 0;
    for (let each = this.#element.parentElement; each; each = each.parentElement) {
      const { paddingBottom, borderBottomWidth } = getComputedStyle(each);
      below += parseFloat(paddingBottom) + parseFloat(borderBottomWidth);
    }
    return below;
  }
}
