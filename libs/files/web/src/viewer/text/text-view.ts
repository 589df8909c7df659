import { Component, computed, input } from '@angular/core';
import { Icon } from '@homeport/platform/web';
import type { ShownFile } from '../shown-file';
import { TextLines } from './text-lines';

/** Shows a text file. */
@Component({
  selector: 'hp-text-view',
  imports: [Icon, TextLines],
  template: `
    @if (file().encoding === 'windows-1252') {
      <p class="notice" role="status">
        <hp-icon name="info" />
        <span i18n
          >This text is not Unicode. It is shown as Western text (Windows-1252), so some characters may be wrong.</span
        >
      </p>
    }
    <hp-text-lines [text]="file().text ?? ''" [language]="language()" />
  `,
})
export class TextView {
  readonly file = input.required<ShownFile>();
  protected readonly language = computed(() => ({ file: this.file().name }));
}
