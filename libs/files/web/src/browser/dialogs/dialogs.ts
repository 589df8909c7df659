import { Dialog } from '@angular/cdk/dialog';
import type { ComponentType } from '@angular/cdk/portal';
import { inject, Service } from '@angular/core';
import { firstValueFrom } from 'rxjs';

/** Opens a dialog in the common style and waits for its result; undefined when it was closed without one. */
@Service()
export class Dialogs {
  readonly #dialog = inject(Dialog);

  ask<Answer, Data>(content: ComponentType<unknown>, data: Data, labelledBy: string): Promise<Answer | undefined> {
    const opened = this.#dialog.open<Answer, Data>(content, {
      data,
      ariaLabelledBy: labelledBy,
      ariaModal: true,
      autoFocus: '[data-first]',
      panelClass: 'dialog-panel',
      backdropClass: 'dialog-backdrop',
      hasBackdrop: true,
    });
    // Rendered before it is visible: a later first render could overwrite text that the user has already typed.
    opened.componentRef?.changeDetectorRef.detectChanges();
    return firstValueFrom(opened.closed, { defaultValue: undefined });
  }
}
