import { Dialog, DIALOG_DATA, DialogRef } from '@angular/cdk/dialog';
import { Component, computed, inject, type Injector, signal } from '@angular/core';
import { type App, type Hosting, MAX_SOURCE_MESSAGE_LENGTH } from '@homeport/apps/contracts';
import { DropZone, type PickedFile, type ScreenData } from '@homeport/platform/web';
import { firstValueFrom } from 'rxjs';
import { SiteChooser } from '../source/site-chooser';
import { DeployStarter } from './deploy-starter';

export interface DeployDialogData {
  readonly app: App;
  readonly hosting: ScreenData<Hosting>;
}

/** Asks for a site, a note and whether the deploy goes live; choosing the site starts the deploy. */
@Component({
  selector: 'hp-deploy-dialog',
  imports: [DropZone, SiteChooser],
  templateUrl: './deploy-dialog.html',
  styleUrl: './deploy-dialog.css',
})
export class DeployDialog {
  protected readonly ask = inject<DeployDialogData>(DIALOG_DATA);
  protected readonly dialog = inject<DialogRef<boolean>>(DialogRef);
  readonly #starter = inject(DeployStarter);
  protected readonly limits = computed(() => this.ask.hosting.value()?.deploy_limits);
  protected readonly maxNoteLength = MAX_SOURCE_MESSAGE_LENGTH;
  protected readonly note = signal('');
  protected readonly activate = signal(true);
  protected readonly refusal = signal('');

  protected async take(picked: readonly PickedFile[]): Promise<void> {
    this.refusal.set('');
    const options = { activate: this.activate(), note: this.note(), limits: this.limits() };
    const refusal = await this.#starter.start(this.ask.app, picked, options);
    if (refusal === undefined) this.dialog.close(true);
    else this.refusal.set(refusal);
  }
}

/** @returns whether a deploy has started. */
export async function openDeployDialog(injector: Injector, data: DeployDialogData): Promise<boolean> {
  const opened = injector.get(Dialog).open<boolean, DeployDialogData>(DeployDialog, {
    data,
    ariaLabelledBy: 'deploy-title',
    ariaModal: true,
    autoFocus: '[data-first]',
    panelClass: 'dialog-panel',
    backdropClass: 'dialog-backdrop',
    hasBackdrop: true,
  });
  // Rendered before it is visible: a later first render could overwrite text that the user has already typed.
  opened.componentRef?.changeDetectorRef.detectChanges();
  return (await firstValueFrom(opened.closed, { defaultValue: false })) ?? false;
}
