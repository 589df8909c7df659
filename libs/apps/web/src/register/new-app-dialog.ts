import { Dialog, DialogRef } from '@angular/cdk/dialog';
import { Component, computed, inject, type Injector } from '@angular/core';
import { type App, RESERVED_SUBDOMAINS } from '@homeport/apps/contracts';
import { firstValueFrom } from 'rxjs';
import { addressSuffix } from '../shared/address-suffix';
import { domainsData } from '../shared/domains-data';
import { hostingData } from '../shared/hosting-data';
import { RegisterForm } from './register-form';

/** Asks for the name of a new app and registers it. */
@Component({
  selector: 'hp-new-app-dialog',
  imports: [RegisterForm],
  template: `
    <hp-register-form
      [suffix]="suffix()"
      [reserved]="reserved()"
      [types]="types()"
      (busyChange)="dialog.disableClose = $event"
      (registered)="dialog.close($event)"
      (cancelled)="dialog.close()"
    />
  `,
})
class NewAppDialog {
  protected readonly dialog = inject<DialogRef<App>>(DialogRef);
  readonly #hosting = hostingData();
  readonly #domains = domainsData();
  protected readonly suffix = computed(() => {
    // The suffix of the platform would be replaced a moment later.
    if (this.#domains.value() === undefined && !this.#domains.problem()) return '';
    return addressSuffix(this.#hosting.value(), this.#domains.value()?.items);
  });
  protected readonly reserved = computed(() => this.#hosting.value()?.reserved_subdomains ?? RESERVED_SUBDOMAINS);
  protected readonly types = computed(() => this.#hosting.value()?.app_types ?? []);
}

/** @returns the new app; undefined when the dialog was cancelled. */
export function openNewAppDialog(injector: Injector): Promise<App | undefined> {
  const opened = injector.get(Dialog).open<App>(NewAppDialog, {
    ariaLabelledBy: 'new-app-title',
    ariaModal: true,
    autoFocus: 'input',
    panelClass: 'dialog-panel',
    backdropClass: 'dialog-backdrop',
    hasBackdrop: true,
  });
  // Rendered before it is visible: a later first render could overwrite text that the user has already typed.
  opened.componentRef?.changeDetectorRef.detectChanges();
  return firstValueFrom(opened.closed, { defaultValue: undefined });
}
