import { inject, Injector, Service } from '@angular/core';
import { Toasts } from '../toasts/toasts';
import type { Confirmation } from './confirmation';

/** Asks for confirmation before an action that cannot be undone. The dialog is loaded on first use. */
@Service()
export class Confirmations {
  readonly #injector = inject(Injector);
  readonly #toasts = inject(Toasts);

  /** @returns true when the user confirmed and `run` succeeded. */
  async ask(confirmation: Confirmation): Promise<boolean> {
    try {
      const { openConfirmDialog } = await import('./confirm-dialog');
      return await openConfirmDialog(this.#injector, confirmation);
    } catch {
      this.#toasts.show(
        $localize`The confirmation could not be shown, so nothing was changed. Check your connection and try again.`,
      );
      return false;
    }
  }
}
