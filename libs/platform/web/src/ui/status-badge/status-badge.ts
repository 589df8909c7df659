import { Component, computed, input } from '@angular/core';
import type { IconName } from '../icon/icon-paths';
import { Icon } from '../icon/icon';

export const STATUS_TONES = ['ok', 'warn', 'bad', 'busy', 'quiet'] as const;
export type StatusTone = (typeof STATUS_TONES)[number];

const ICONS: Readonly<Record<StatusTone, IconName>> = {
  ok: 'check-circle',
  warn: 'alert',
  bad: 'alert',
  busy: 'clock',
  quiet: 'circle',
};

/** A status as icon and text; the content is the text. */
@Component({
  selector: 'hp-status-badge',
  imports: [Icon],
  template: `<hp-icon [name]="shown()" /><span><ng-content /></span>`,
  host: { '[class]': 'tone()' },
  styles: `
    :host {
      display: inline-flex;
      align-items: center;
      gap: var(--space-1);
      min-height: 24px;
      padding: 0 var(--space-2);
      border: 1px solid color-mix(in srgb, var(--tone) 24%, transparent);
      border-radius: var(--radius-large);
      background: color-mix(in srgb, var(--tone) 9%, transparent);
      font-size: var(--size-small);
      line-height: 16px;
    }
    hp-icon {
      color: var(--tone);
    }
    :host(.ok) {
      --tone: var(--ok);
    }
    :host(.warn),
    :host(.busy) {
      --tone: var(--warn);
    }
    :host(.bad) {
      --tone: var(--danger);
    }
    :host(.quiet) {
      --tone: var(--muted);
      color: var(--muted);
    }
  `,
})
export class StatusBadge {
  readonly tone = input.required<StatusTone>();
  readonly icon = input<IconName>();
  protected readonly shown = computed(() => this.icon() ?? ICONS[this.tone()]);
}
