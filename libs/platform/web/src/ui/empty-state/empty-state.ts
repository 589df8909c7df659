import { Component, input } from '@angular/core';
import type { IconName } from '../icon/icon-paths';
import { Icon } from '../icon/icon';

/** Explains an empty screen in one sentence; the content is the next action. */
@Component({
  selector: 'hp-empty-state',
  imports: [Icon],
  template: `
    <hp-icon [name]="icon()" />
    <p>{{ text() }}</p>
    <ng-content />
  `,
  styles: `
    :host {
      display: flex;
      flex-direction: column;
      align-items: center;
      gap: var(--space-3);
      padding: var(--space-10) var(--space-4);
      border: 1px dashed var(--line-strong);
      border-radius: var(--radius);
      text-align: center;
    }
    hp-icon {
      font-size: 22px;
      color: var(--muted);
    }
    p {
      max-width: min(44ch, 100%);
      margin: 0;
      color: var(--muted);
      text-wrap: balance;
      overflow-wrap: anywhere;
    }
  `,
})
export class EmptyState {
  readonly icon = input.required<IconName>();
  readonly text = input.required<string>();
}
