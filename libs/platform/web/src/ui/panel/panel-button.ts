import { DestroyRef, Directive, ElementRef, inject, Injector, input, signal, type Type } from '@angular/core';
import { NavigationStart, Router } from '@angular/router';
import { takeUntilDestroyed } from '@angular/core/rxjs-interop';
import { filter } from 'rxjs';
import { Toasts } from '../toasts/toasts';
import type { PanelRef } from './panel-ref';

/** A button that opens a menu or panel next to it; the panel is loaded on first use. */
@Directive({
  selector: '[hpPanel]',
  host: {
    '[attr.aria-expanded]': 'isOpen()',
    '(click)': 'toggle()',
    '(keydown.arrowdown)': 'toggle($event)',
  },
})
export class PanelButton {
  /** Loads the component of the panel. */
  readonly hpPanel = input.required<() => Promise<Type<unknown>>>();
  readonly #injector = inject(Injector);
  readonly #toasts = inject(Toasts);
  readonly #button = inject<ElementRef<HTMLElement>>(ElementRef);
  readonly #open = signal(false);
  readonly isOpen = this.#open.asReadonly();
  #panel: PanelRef | undefined;

  constructor() {
    const close = (): void => this.#panel?.close();
    inject(DestroyRef).onDestroy(close);
    inject(Router)
      .events.pipe(
        filter((event) => event instanceof NavigationStart),
        takeUntilDestroyed(),
      )
      .subscribe(close);
  }

  open(): void {
    if (!this.#open()) void this.#show();
  }

  protected toggle(event?: Event): void {
    event?.preventDefault();
    if (this.#panel) this.#panel.close();
    else this.open();
  }

  async #show(): Promise<void> {
    this.#open.set(true);
    try {
      const [{ openPanel }, component] = await Promise.all([import('./panel'), this.hpPanel()()]);
      this.#panel = openPanel(this.#injector, this.#button.nativeElement, component);
      await this.#panel.closed;
    } catch {
      this.#toasts.show($localize`This could not be shown. Check your connection and try again.`);
    } finally {
      this.#panel = undefined;
      this.#open.set(false);
    }
  }
}
