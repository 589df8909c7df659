import { Component, computed, input } from '@angular/core';
import { textBlocks } from './text-blocks';

/** Raw text, exactly as it is stored, of any length. */
@Component({
  selector: 'hp-text-view',
  template: `
    <!-- prettier-ignore -->
    <pre class="card" tabindex="0" aria-label="File content">@for (block of blocks(); track $index) {<code>{{ block }}
</code>}</pre>
  `,
  styles: `
    pre {
      margin: 0;
      padding: 16px;
      line-height: 20px;
      overflow-wrap: anywhere;
      white-space: pre-wrap;
      tab-size: 4;
    }
    code {
      display: block;
      content-visibility: auto;
      contain-intrinsic-size: auto 4000px;
    }
  `,
})
export class TextView {
  readonly text = input.required<string>();
  protected readonly blocks = computed(() => textBlocks(this.text()));
}
