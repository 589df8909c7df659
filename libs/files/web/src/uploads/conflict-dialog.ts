import { DIALOG_DATA, DialogRef } from '@angular/cdk/dialog';
import { Component, inject } from '@angular/core';
import { formatNumber } from '@homeport/platform/web';
import type { ConflictChoice } from './upload-plan';

export interface ConflictDialogData {
  /** The names that are already in use. */
  readonly names: readonly string[];
  /** The number of files to upload. */
  readonly total: number;
}

/** The maximum number of listed names. */
const MAX_SHOWN = 100;

/** Asks once what to do with all files whose names are already in use. */
@Component({
  selector: 'hp-conflict-dialog',
  template: `
    <form class="dialog-form" (submit)="$event.preventDefault()">
      <h2 id="conflict-title">
        @if (ask.total === 1) {
          <ng-container i18n>This file exists already</ng-container>
        } @else {
          <ng-container i18n>{count, plural,
            =1 {1 of {{ number(ask.total) }} files exists already}
            other {{{ number(count) }} of {{ number(ask.total) }} files exist already}
          }</ng-container>
        }
      </h2>
      <ul class="list" tabindex="0" i18n-aria-label aria-label="Files that exist already">
        @for (name of names; track $index) {
          <li>{{ name }}</li>
        }
        @if (count > names.length) {
          <li i18n>and {{ number(count - names.length) }} more</li>
        }
      </ul>
      <p i18n>Keep both adds a number to the names of the new files.</p>
      <div class="buttons">
        <button type="button" class="button danger" (click)="dialog.close('replace')" i18n>Replace</button>
        <button type="button" class="button" (click)="dialog.close('skip')" i18n>Skip</button>
        <button type="button" class="button primary" data-first (click)="dialog.close('keep-both')" i18n>
          Keep both
        </button>
      </div>
    </form>
  `,
  styleUrl: '../browser/dialogs/dialog.css',
})
export class ConflictDialog {
  protected readonly ask = inject<ConflictDialogData>(DIALOG_DATA);
  protected readonly dialog = inject<DialogRef<ConflictChoice>>(DialogRef);
  protected readonly number = formatNumber;
  protected readonly count = this.ask.names.length;
  protected readonly names = this.ask.names.slice(0, MAX_SHOWN);
}
