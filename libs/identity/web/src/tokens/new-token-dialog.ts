import { Dialog, DIALOG_DATA, DialogRef } from '@angular/cdk/dialog';
import { Component, computed, ElementRef, inject, type Injector, signal, viewChild } from '@angular/core';
import type { CreatedApiToken, Scope } from '@homeport/identity/contracts';
import { CopyButton, Icon } from '@homeport/platform/web';
import { RequestForm } from '@homeport/platform/web/on-demand';
import { firstValueFrom } from 'rxjs';
import { offeredScopes } from './scope-messages';
import { DEFAULT_LIFETIME, expiryOf, tokenLifetimes } from './token-lifetimes';
import { type NewApiToken, type TokenKind, TokensClient } from './tokens-client';

/** What the new token is for. */
export interface NewTokenRequest {
  readonly kind: TokenKind;
  /** The only app that the token can use. */
  readonly appId?: string;
}

/** Asks for the name and permissions of a token, creates it, and shows its secret once. */
@Component({
  selector: 'hp-new-token-dialog',
  imports: [CopyButton, Icon, RequestForm],
  templateUrl: './new-token-dialog.html',
  styleUrl: './new-token-dialog.css',
})
class NewTokenDialog {
  readonly #dialog = inject<DialogRef<CreatedApiToken>>(DialogRef);
  readonly #client = inject(TokensClient);
  readonly #request = inject<NewTokenRequest>(DIALOG_DATA);
  private readonly secret = viewChild<ElementRef<HTMLElement>>('secret');

  protected readonly isPersonal = this.#request.kind === 'personal';
  protected readonly heading = this.isPersonal ? $localize`New personal token` : $localize`New organization token`;
  protected readonly scopes = offeredScopes(this.#request.kind).map((each) => ({
    ...each,
    isChosen: signal(each.isChosen),
  }));
  protected readonly lifetimes = tokenLifetimes();
  protected readonly lifetime = signal(DEFAULT_LIFETIME);
  protected readonly name = signal('');
  protected readonly prefix = signal('');
  protected readonly created = signal<CreatedApiToken | undefined>(undefined);

  readonly #chosen = computed<readonly Scope[]>(() =>
    this.scopes.filter(({ isChosen }) => isChosen()).map(({ scope }) => scope),
  );
  protected readonly nameFault = computed(() => (this.name().trim() === '' ? $localize`Enter a name.` : undefined));
  protected readonly scopeFault = computed(() =>
    this.#chosen().length === 0 ? $localize`Choose at least one permission.` : undefined,
  );

  protected close(): void {
    this.#dialog.close(this.created());
  }

  protected readonly create = async (): Promise<boolean> => {
    this.created.set(await this.#client.create(this.#request.kind, this.#body()));
    // After the form has unlocked the dialog and is removed.
    setTimeout(() => {
      // A click beside the dialog would lose the only copy of the secret.
      this.#dialog.disableClose = true;
      this.secret()?.nativeElement.focus();
    });
    return true;
  };

  #body(): NewApiToken {
    const prefix = this.prefix().trim();
    const expiry = expiryOf(this.lifetime(), new Date());
    return {
      name: this.name().trim(),
      scopes: this.#chosen(),
      ...(this.#request.appId !== undefined && { app_id: this.#request.appId }),
      ...(prefix !== '' && { prefix }),
      ...(expiry !== undefined && { expires_at: expiry }),
    };
  }
}

/** @returns the new token; undefined when the dialog was cancelled. */
export function openNewTokenDialog(injector: Injector, request: NewTokenRequest): Promise<CreatedApiToken | undefined> {
  const opened = injector.get(Dialog).open<CreatedApiToken>(NewTokenDialog, {
    ariaLabelledBy: 'new-token-title',
    ariaModal: true,
    autoFocus: 'input',
    panelClass: 'dialog-panel',
    backdropClass: 'dialog-backdrop',
    hasBackdrop: true,
    data: request,
  });
  return firstValueFrom(opened.closed, { defaultValue: undefined });
}
