import { Dialog, DIALOG_DATA, DialogRef } from '@angular/cdk/dialog';
import { Component, computed, ElementRef, inject, type Injector, signal, viewChild } from '@angular/core';
import type { Trust } from '@homeport/identity/contracts';
import { asHttpProblem, ErrorPanel, type HttpProblem } from '@homeport/platform/web';
import { Segmented } from '@homeport/platform/web/on-demand';
import { firstValueFrom } from 'rxjs';
import { isRepositoryPath, ISSUER_NAMES, PIPELINE_ISSUERS, type PipelineIssuer, trustFor } from './pipeline';
import { TrustsClient } from './trusts-client';

/** Asks for a repository whose pipelines may deploy an app. */
@Component({
  selector: 'hp-new-trust-dialog',
  imports: [ErrorPanel, Segmented],
  templateUrl: './new-trust-dialog.html',
})
class NewTrustDialog {
  protected readonly dialog = inject<DialogRef<Trust>>(DialogRef);
  readonly #client = inject(TrustsClient);
  readonly #appId = inject<string>(DIALOG_DATA);
  private readonly repositoryField = viewChild.required<ElementRef<HTMLInputElement>>('repositoryField');

  protected readonly issuers = PIPELINE_ISSUERS.map((value) => ({ value, label: ISSUER_NAMES[value] }));
  protected readonly issuer = signal<PipelineIssuer>('github');
  protected readonly repository = signal('');
  protected readonly branch = signal('');
  protected readonly submitted = signal(false);
  protected readonly busy = signal(false);
  protected readonly problem = signal<HttpProblem | undefined>(undefined);
  protected readonly fault = computed(() =>
    this.submitted() && !isRepositoryPath(this.repository().trim())
      ? $localize`Enter the repository as owner/name, for example acme/shop.`
      : undefined,
  );
  protected readonly submitWords = computed(() => (this.busy() ? $localize`Connecting…` : $localize`Connect`));

  protected cancel(): void {
    if (!this.busy()) this.dialog.close();
  }

  protected async submit(event?: Event): Promise<void> {
    event?.preventDefault();
    if (this.busy()) return;
    this.submitted.set(true);
    this.problem.set(undefined);
    if (this.fault()) return this.repositoryField().nativeElement.focus();
    this.#setBusy(true);
    try {
      const pipeline = { repository: this.repository().trim(), branch: this.branch().trim(), issuer: this.issuer() };
      this.dialog.close(await this.#client.create(this.#appId, trustFor(pipeline)));
    } catch (error) {
      this.problem.set(asHttpProblem(error));
    } finally {
      this.#setBusy(false);
    }
  }

  #setBusy(busy: boolean): void {
    this.busy.set(busy);
    this.dialog.disableClose = busy;
  }
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
