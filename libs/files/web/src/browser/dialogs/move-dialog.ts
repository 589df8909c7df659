import { DIALOG_DATA, DialogRef } from '@angular/cdk/dialog';
import { Component, computed, inject, signal } from '@angular/core';
import { formatNumber, Icon } from '@homeport/platform/web';
import { nameOf } from '../../tree/display-path';
import { parseTypedPath } from '../../tree/rename-plan';
import { typedPathError } from '../../tree/path-error-messages';

export interface MoveDialogData {
  readonly title: string;
  readonly directories: readonly string[];
  /** Why nothing can be moved to this directory; undefined when it is a valid target. */
  readonly fault: (directory: string) => string | undefined;
}

/** The maximum number of listed directories; typing finds the others. */
const MAX_SHOWN = 200;

/** Asks for a directory: an existing one, or the name of a new one. */
@Component({
  selector: 'hp-move-dialog',
  imports: [Icon],
  template: `
    <form class="dialog-form" (submit)="confirm($event)">
      <h2 id="move-title">{{ ask.title }}</h2>
      <label class="field">
        <span i18n>Find a folder, or name a new one</span>
        <input
          #input
          data-first
          autocomplete="off"
          autocapitalize="off"
          spellcheck="false"
          aria-describedby="move-fault"
          [value]="written()"
          (input)="write(input.value)"
        />
      </label>
      <div class="list" role="radiogroup" i18n-aria-label aria-label="Folders">
        @for (each of shown(); track each.path) {
          <label>
            <input
              type="radio"
              name="directory"
              [value]="each.path"
              [checked]="chosen() === each.path"
              (change)="chosen.set(each.path)"
            />
            <hp-icon [name]="each.isNew ? 'plus' : 'folder'" />
            <span>
              @if (each.isNew) {
                <ng-container i18n>New folder {{ each.path }}</ng-container>
              } @else if (each.path) {
                {{ each.path }}
              } @else {
                <ng-container i18n>Files</ng-container>
              }
            </span>
          </label>
        } @empty {
          <p i18n>No folder matches.</p>
        }
      </div>
      <p id="move-fault" class="fault" role="status" [class.bad]="fault()">
        @if (fault(); as words) {
          {{ words }}
        } @else if (more() > 0) {
          <ng-container i18n>{{ number(more()) }} more: type to find them.</ng-container>
        }
      </p>
      <div class="buttons">
        <button type="button" class="button" (click)="dialog.close()" i18n>Cancel</button>
        <button type="submit" class="button primary" [disabled]="chosen() === undefined || fault()" i18n>
          Move here
        </button>
      </div>
    </form>
  `,
  styleUrl: './dialog.css',
})
export class MoveDialog {
  protected readonly ask = inject<MoveDialogData>(DIALOG_DATA);
  protected readonly dialog = inject<DialogRef<string>>(DialogRef);
  protected readonly number = formatNumber;
  protected readonly written = signal('');
  protected readonly chosen = signal<string | undefined>(undefined);
  readonly #found = computed(() => {
    const words = this.written().normalize('NFC').toLowerCase().trim();
    const all = ['', ...this.ask.directories].filter((path) => path.toLowerCase().includes(words));
    // Directories whose name starts with the text come before directories that only match elsewhere in the path.
    return words ? all.toSorted((a, b) => Number(startsWith(b, words)) - Number(startsWith(a, words))) : all;
  });
  protected readonly more = computed(() => Math.max(0, this.#found().length - MAX_SHOWN));
  protected readonly shown = computed(() => {
    const list = this.#found()
      .slice(0, MAX_SHOWN)
      .map((path) => ({ path, isNew: false }));
    const written = this.written().replace(/^\/+|\/+$/g, '');
    const parsed = parseTypedPath('', written);
    const isNew = 'path' in parsed && typedPathError('', written) === undefined && !this.#found().includes(parsed.path);
    return isNew ? [...list, { path: parsed.path, isNew: true }] : list;
  });
  protected readonly fault = computed(() => {
    const chosen = this.chosen();
    return chosen === undefined ? undefined : this.ask.fault(chosen);
  });

  protected write(words: string): void {
    this.written.set(words);
    const first = this.shown()[0];
    this.chosen.set(words && first ? first.path : undefined);
  }

  protected confirm(event: Event): void {
    event.preventDefault();
    if (this.chosen() !== undefined && !this.fault()) this.dialog.close(this.chosen());
  }
}

function startsWith(path: string, words: string): boolean {
  return nameOf(path).toLowerCase().startsWith(words);
}
