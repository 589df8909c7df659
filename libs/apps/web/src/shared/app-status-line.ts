import { Component, computed, input } from '@angular/core';
import type { App } from '@homeport/apps/contracts';
import { RelativeTime, StatusBadge } from '@homeport/platform/web';
import { appStatus } from './app-status';

/** The status of an app with the number and the age of its live deploy: "Live · #4 · 2 minutes ago". */
@Component({
  selector: 'hp-app-status-line',
  imports: [RelativeTime, StatusBadge],
  template: `
    <hp-status-badge [tone]="status().tone" [icon]="status().icon">{{ status().words }}</hp-status-badge>
    @if (app().active_deploy; as deploy) {
      <span class="facts"
        ><span>#{{ deploy.number }}</span
        ><span aria-hidden="true">·</span><hp-relative-time [at]="deploy.created_at"
      /></span>
    }
  `,
  styles: `
    :host {
      display: flex;
      flex-wrap: wrap;
      align-items: center;
      gap: var(--space-1) var(--space-2);
      min-width: 0;
    }
    .facts {
      display: inline-flex;
      gap: var(--space-1-5);
      color: var(--muted);
      font-size: 13px;
      white-space: nowrap;
    }
  `,
})
export class AppStatusLine {
  readonly app = input.required<App>();
  protected readonly status = computed(() => appStatus(this.app()));
}
