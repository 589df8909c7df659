import { inject, Injector, Service } from '@angular/core';
import { Toasts } from '../toasts/toasts';
import type { Confirmation } from './confirmation';

/** Asks before something that cannot be taken back. The dialog is loaded with the first question. */
@Service()
export class Confirmations {
  readonly #injector = inject(Injector);
  readonly #toasts = inject(Toasts);

  /** True: the person confirmed, and `run` succeeded. */
  async ask(confirmation: Confirmation): Promise<boolean> {
    try {
      const { openConfirmDialog } = await import('./confirm-dialog');
      return await openConfirmDialog(this.#injector, confirmation);
    } catch {
      this.#toasts.show(
        $localize`The question could not be shown, so nothing was done. Check your connection and try again.`,
      );
      return false;
    }
  }
}
