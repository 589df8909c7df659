import { Component, computed, input } from '@angular/core';
import { Icon, type IconName } from '@homeport/platform/web';

const ICONS = { ok: 'check-circle', warn: 'clock', bad: 'alert' } as const satisfies Record<string, IconName>;

/** The outcome of the user's last action, shown inside the page and not as an overlay. */
@Component({
  selector: 'hp-outcome-notice',
  imports: [Icon],
  template: `
    <p [class]="'card status ' + tone()">
      <hp-icon [name]="icon()" />
      <span><ng-content /></span>
    </p>
  `,
  styles: `
    .card {
      display: flex;
      align-items: start;
      gap: var(--space-2-5);
      margin: 0 0 var(--space-4);
      padding: var(--space-3) var(--space-4);
    }
    hp-icon {
      margin-top: 1px;
    }
    span {
      min-width: 0;
      overflow-wrap: anywhere;
    }
  `,
})
export class OutcomeNotice {
  readonly tone = input.required<keyof typeof ICONS>();
  protected readonly icon = computed(() => ICONS[this.tone()]);
}
