import { Dialog, DIALOG_DATA, DialogRef } from '@angular/cdk/dialog';
import { Component, computed, inject, type Injector, signal } from '@angular/core';
import type { Trust } from '@homeport/identity/contracts';
import { RequestForm, Segmented } from '@homeport/platform/web/on-demand';
import { firstValueFrom } from 'rxjs';
import { isRepositoryPath, ISSUER_NAMES, PIPELINE_ISSUERS, type PipelineIssuer, trustFor } from './pipeline';
import { TrustsClient } from './trusts-client';

/** Asks for a repository whose pipelines may deploy an app. */
@Component({
  selector: 'hp-new-trust-dialog',
  imports: [RequestForm, Segmented],
  templateUrl: './new-trust-dialog.html',
})
class NewTrustDialog {
  readonly #dialog = inject<DialogRef<Trust>>(DialogRef);
  readonly #client = inject(TrustsClient);
  readonly #appId = inject<string>(DIALOG_DATA);

  protected readonly issuers = PIPELINE_ISSUERS.map((value) => ({ value, label: ISSUER_NAMES[value] }));
  protected readonly issuer = signal<PipelineIssuer>('github');
  protected readonly repository = signal('');
  protected readonly branch = signal('');
  protected readonly fault = computed(() =>
    isRepositoryPath(this.repository().trim())
      ? undefined
      : $localize`Enter the repository as owner/name, for example acme/shop.`,
  );

  protected readonly connect = async (): Promise<boolean> => {
    const pipeline = { repository: this.repository().trim(), branch: this.branch().trim(), issuer: this.issuer() };
    this.#dialog.close(await this.#client.create(this.#appId, trustFor(pipeline)));
    return true;
  };
}

/** @returns the new trust; undefined when the dialog was cancelled. */
export function openNewTrustDialog(injector: Injector, appId: string): Promise<Trust | undefined> {
  const opened = injector.get(Dialog).open<Trust>(NewTrustDialog, {
    ariaLabelledBy: 'new-trust-title',
    ariaModal: true,
    autoFocus: 'input',
    panelClass: 'dialog-panel',
    backdropClass: 'dialog-backdrop',
    hasBackdrop: true,
    data: appId,
  });
  return firstValueFrom(opened.closed, { defaultValue: undefined });
}
