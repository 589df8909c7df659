import { Dialog } from '@angular/cdk/dialog';
import type { ComponentType } from '@angular/cdk/portal';
import { inject, Service } from '@angular/core';
import { firstValueFrom } from 'rxjs';

/** Opens a dialog in the look of all others, and waits for its answer; undefined when it was left without one. */
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
    // Filled in before anybody sees it: what comes a moment later would meet what somebody quick has written.
    opened.componentRef?.changeDetectorRef.detectChanges();
    return firstValueFrom(opened.closed, { defaultValue: undefined });
  }
}
