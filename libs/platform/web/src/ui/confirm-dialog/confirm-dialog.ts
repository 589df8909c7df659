import { Component, computed, inject, type Injector, signal } from '@angular/core';
import { Dialog, DIALOG_DATA, DialogRef } from '@angular/cdk/dialog';
import { firstValueFrom } from 'rxjs';
import { asHttpProblem, type HttpProblem } from '../../http/http-problem';
import { ErrorPanel } from '../error-panel/error-panel';
import type { Confirmation } from './confirmation';

@Component({
  selector: 'hp-confirm-dialog',
  imports: [ErrorPanel],
  templateUrl: './confirm-dialog.html',
  styles: `
    strong {
      color: var(--text);
      overflow-wrap: anywhere;
      /* Two spaces in a name must be typed as two spaces. */
      white-space: pre-wrap;
    }
  `,
})
export class ConfirmDialog {
  protected readonly confirmation = inject<Confirmation>(DIALOG_DATA);
  readonly #dialog = inject<DialogRef<boolean>>(DialogRef);
  protected readonly typed = signal('');
  protected readonly busy = signal(false);
  protected readonly problem = signal<HttpProblem | undefined>(undefined);
  protected readonly ready = computed(
    () => this.confirmation.typed === undefined || this.typed() === this.confirmation.typed,
  );

  protected words(): string {
    return this.busy() ? $localize`Working…` : this.confirmation.action;
  }

  protected cancel(): void {
    if (!this.busy()) this.#dialog.close(false);
  }

  protected async confirm(event: Event): Promise<void> {
    event.preventDefault();
    if (!this.ready() || this.busy()) return;
    this.#setBusy(true);
    try {
      await this.confirmation.run();
      this.#dialog.close(true);
    } catch (error) {
      this.problem.set(asHttpProblem(error));
    } finally {
      this.#setBusy(false);
    }
  }

  /** Keeps the dialog open while the action runs: closing it would not stop the action. */
  #setBusy(isBusy: boolean): void {
    this.busy.set(isBusy);
    this.#dialog.disableClose = isBusy;
  }
}

/** Opens the dialog. @returns true when the user confirmed and `run` succeeded. */
export async function openConfirmDialog(injector: Injector, confirmation: Confirmation): Promise<boolean> {
  const opened = injector.get(Dialog).open<boolean, Confirmation>(ConfirmDialog, {
    data: confirmation,
    role: 'alertdialog',
    ariaLabelledBy: 'confirm-title',
    ariaDescribedBy: 'confirm-text',
    ariaModal: true,
    autoFocus: confirmation.typed === undefined ? '[data-cancel]' : 'first-tabbable',
    panelClass: 'dialog-panel',
    backdropClass: 'dialog-backdrop',
    hasBackdrop: true,
  });
  return (await firstValueFrom(opened.closed, { defaultValue: false })) ?? false;
}
