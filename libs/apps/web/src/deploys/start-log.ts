import { Component, computed, input } from '@angular/core';
import { CopyButton } from '@homeport/platform/web';
import { textOf } from '../logs/log-blocks';

/** The last lines that a server wrote which did not start. */
@Component({
  selector: 'hp-start-log',
  imports: [CopyButton],
  template: `
    <p class="head">
      <span>{{ label }}</span><hp-copy-button [text]="text()" i18n-what what="log" />
    </p>
    <pre tabindex="0" role="region" [attr.aria-label]="label">{{ text() }}</pre>
  `,
  styles: `
    :host {
      display: block;
      min-width: 0;
    }
    .head {
      display: flex;
      flex-wrap: wrap;
      align-items: center;
      justify-content: space-between;
      gap: var(--space-1) var(--space-3);
      margin: var(--space-2) 0 0;
    }
    pre {
      max-height: 320px;
      margin: var(--space-1) 0 0;
      padding: var(--space-2) var(--space-3);
      border: 1px solid var(--line);
      border-radius: var(--radius);
      background: var(--surface-2);
      font: var(--size-xs) / 18px var(--mono);
      overflow-y: auto;
      overflow-wrap: anywhere;
      overscroll-behavior: contain;
      white-space: pre-wrap;
    }
  `,
})
export class StartLog {
  readonly lines = input.required<readonly string[]>();
  protected readonly label = $localize`Last lines of the log`;
  protected readonly text = computed(() =>
    this.lines()
      .map((line) => textOf({ line }))
      .join('\n'),
  );
}
