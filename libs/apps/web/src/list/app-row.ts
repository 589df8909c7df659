import { Component, computed, input } from '@angular/core';
import { RouterLink } from '@angular/router';
import type { App } from '@homeport/apps/contracts';
import { Icon, RelativeTime, StatusBadge } from '@homeport/platform/web';
import { deployCountMessage, appTypeLabel } from '../shared/app-messages';
import { appStatus } from '../shared/app-status';

/** One app of the list. The row links to the app's page, the address to the app itself. */
@Component({
  selector: 'hp-app-row',
  imports: [Icon, RelativeTime, RouterLink, StatusBadge],
  templateUrl: './app-row.html',
  styleUrl: './app-row.css',
})
export class AppRow {
  readonly app = input.required<App>();
  protected readonly status = computed(() => appStatus(this.app()));
  protected readonly type = computed(() => appTypeLabel(this.app().type));
  protected readonly deploys = computed(() => deployCountMessage(this.app().deploy_count));
}
