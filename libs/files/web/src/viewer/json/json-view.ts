import { Component, computed, input, viewChild } from '@angular/core';
import { Icon } from '@homeport/platform/web';
import { FindBar } from '../find/find-bar';
import { findInText } from '../find/find-in-text';
import type { ShownFile } from '../shown-file';
import { TextLines } from '../text/text-lines';
import { findJsonError } from './json-error-position';
import { prettyJson } from './pretty-json';

const LANGUAGE = { name: 'json' };

/** Shows formatted JSON; only the white space between tokens differs from the file. */
@Component({
  selector: 'hp-json-view',
  imports: [FindBar, Icon, TextLines],
  template: `
    @if (notice(); as words) {
      <p class="notice" role="status">
        <hp-icon name="alert" /><span>{{ words }}</span>
      </p>
    }
    @if (finding.isOpen()) {
      <hp-find-bar [search]="finding.search" (find)="finding.find($event)" (closed)="finding.close()" />
    } @else {
      <div class="tools">
        @if (shown().text !== undefined) {
          <button type="button" class="button small" (click)="lines().foldAll(true)" i18n>Fold all</button>
          <button type="button" class="button small" (click)="lines().foldAll(false)" i18n>Expand all</button>
        }
        <button type="button" class="button small" aria-keyshortcuts="Control+F Meta+F" (click)="finding.open()">
          <hp-icon name="search" /><ng-container i18n>Find</ng-container>
        </button>
      </div>
    }
    <hp-text-lines
      [text]="text()"
      [language]="language"
      [foldable]="shown().text !== undefined"
      [matches]="finding.matches()"
    />
  `,
  styles: `
    .tools {
      display: flex;
      flex-wrap: wrap;
      gap: var(--space-2);
      justify-content: flex-end;
      margin-bottom: var(--space-3);
    }
  `,
})
export class JsonView {
  readonly file = input.required<ShownFile>();
  protected readonly language = LANGUAGE;
  protected readonly source = computed(() => this.file().text ?? '');
  protected readonly shown = computed(() => prettyJson(this.source()));
  protected readonly text = computed(() => this.shown().text ?? this.source());
  protected readonly lines = viewChild.required(TextLines);
  private readonly bar = viewChild(FindBar);
  protected readonly finding = findInText({
    text: computed(() => ({ parts: 1, read: () => Promise.resolve(this.text()) })),
    shown: computed(() => ({ number: 0, text: this.text() })),
    bar: this.bar,
    show: () => undefined,
  });
  protected readonly notice = computed(() => {
    const { fault } = this.shown();
    if (fault === 'too-deep') return $localize`This JSON is nested too deeply to format. Showing the original text.`;
    if (fault !== 'invalid' || this.source().trim() === '') return undefined;
    const { line, column } = findJsonError(this.source());
    return $localize`Invalid JSON at line ${line}:line:, column ${column}:column:. Showing the original text.`;
  });
}
