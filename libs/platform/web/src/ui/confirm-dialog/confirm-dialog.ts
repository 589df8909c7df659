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
      /* Two spaces in a name are two to be typed. */
      white-space: pre-wrap;
    }
  `,
})
export class ConfirmDialog {
  protected readonly ask = inject<Confirmation>(DIALOG_DATA);
  readonly #dialog = inject<DialogRef<boolean>>(DialogRef);
  protected readonly typed = signal('');
  protected readonly busy = signal(false);
  protected readonly problem = signal<HttpProblem | undefined>(undefined);
  protected readonly ready = computed(() => this.ask.typed === undefined || this.typed() === this.ask.typed);

  protected words(): string {
    return this.busy() ? $localize`Working…` : this.ask.action;
  }

  protected cancel(): void {
    if (!this.busy()) this.#dialog.close(false);
  }

  protected async confirm(event: Event): Promise<void> {
    event.preventDefault();
    if (!this.ready() || this.busy()) return;
    this.#work(true);
    try {
      await this.ask.run();
      this.#dialog.close(true);
    } catch (error) {
      this.problem.set(asHttpProblem(error));
    } finally {
      this.#work(false);
    }
  }

  /** What is being done is not taken back by looking away: the dialog stays until it is known how it ended. */
  #work(isBusy: boolean): void {
    this.busy.set(isBusy);
    this.#dialog.disableClose = isBusy;
  }
}

/** Opens the dialog. True: it was confirmed and `run` succeeded. */
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
