import { Component, input } from '@angular/core';
import type { IconName } from '../icon/icon-paths';
import { Icon } from '../icon/icon';

/** Explains an empty screen; the content is the next action. */
@Component({
  selector: 'hp-empty-state',
  imports: [Icon],
  template: `
    <hp-icon [name]="icon()" />
    <div class="words">
      @if (heading(); as words) {
        <h2>{{ words }}</h2>
      }
      <p>{{ text() }}</p>
    </div>
    <ng-content />
  `,
  styles: `
    :host {
      display: flex;
      flex-direction: column;
      align-items: center;
      gap: var(--space-4);
      padding: var(--space-12) var(--space-4);
      border: 1px dashed var(--line-strong);
      border-radius: var(--radius);
      text-align: center;
    }
    hp-icon {
      box-sizing: content-box;
      padding: var(--space-3);
      border-radius: var(--radius-large);
      background: var(--accent-soft);
      color: var(--accent);
      font-size: var(--size-xl);
    }
    .words {
      display: grid;
      justify-items: center;
      gap: var(--space-1);
      max-width: min(48ch, 100%);
    }
    h2 {
      overflow-wrap: anywhere;
    }
    p {
      margin: 0;
      color: var(--muted);
      text-wrap: balance;
      overflow-wrap: anywhere;
    }
  `,
})
export class EmptyState {
  readonly icon = input.required<IconName>();
  /** What is empty, when the text explains it further. */
  readonly heading = input<string>();
  readonly text = input.required<string>();
}
