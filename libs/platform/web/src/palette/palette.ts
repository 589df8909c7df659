import { DOCUMENT, inject, Injector, Service } from '@angular/core';
import { Router } from '@angular/router';
import { Toasts } from '../ui/toasts/toasts';
import { EarlyTyping } from './early-typing';

/** Opens the command palette and the keyboard help; both are loaded on first use. */
@Service()
export class Palette {
  readonly #injector = inject(Injector);
  readonly #router = inject(Router);
  readonly #toasts = inject(Toasts);
  readonly #document = inject(DOCUMENT);
  #isOpen = false;

  /** Opens the palette, then runs the chosen command or opens the chosen page. */
  async open(): Promise<void> {
    const chosen = await this.#show(async () => {
      const typing = new EarlyTyping(this.#document);
      try {
        const { openPaletteDialog } = await import('./palette-dialog');
        return await openPaletteDialog(this.#injector, typing);
      } finally {
        typing.take();
      }
    });
    chosen?.run?.();
    if (chosen?.link) await this.#router.navigate([...chosen.link]);
  }

  async help(): Promise<void> {
    await this.#show(async () => (await import('../shortcuts/shortcut-help')).openShortcutHelp(this.#injector));
  }

  /** Opens one dialog at a time: the shortcuts also work inside the dialogs. */
  async #show<T>(dialog: () => Promise<T>): Promise<T | undefined> {
    if (this.#isOpen) return undefined;
    this.#isOpen = true;
    try {
      return await dialog();
    } catch {
      this.#toasts.show($localize`This could not be shown. Check your connection and try again.`);
      return undefined;
    } finally {
      this.#isOpen = false;
    }
  }
}
