import { Component, computed, input } from '@angular/core';
import { Icon } from '@homeport/platform/web';
import type { ShownFile } from '../shown-file';
import { TextLines } from '../text/text-lines';
import { findJsonError } from './json-error-position';
import { prettyJson } from './pretty-json';

const LANGUAGE = { name: 'json' };

/** Shows formatted JSON; only the white space between tokens differs from the file. */
@Component({
  selector: 'hp-json-view',
  imports: [Icon, TextLines],
  template: `
    @if (notice(); as words) {
      <p class="notice" role="status">
        <hp-icon name="alert" /><span>{{ words }}</span>
      </p>
    }
    <hp-text-lines [text]="shown().text ?? source()" [language]="language" />
  `,
})
export class JsonView {
  readonly file = input.required<ShownFile>();
  protected readonly language = LANGUAGE;
  protected readonly source = computed(() => this.file().text ?? '');
  protected readonly shown = computed(() => prettyJson(this.source()));
  protected readonly notice = computed(() => {
    const { fault } = this.shown();
    if (fault === 'too-deep') return $localize`This JSON is nested too deeply to format. Showing the original text.`;
    if (fault !== 'invalid' || this.source().trim() === '') return undefined;
    const { line, column } = findJsonError(this.source());
    return $localize`Invalid JSON at line ${line}:line:, column ${column}:column:. Showing the original text.`;
  });
}
