import { Component, computed, input } from '@angular/core';
import { RouterLink } from '@angular/router';
import type { App } from '@homeport/apps/contracts';
import { Icon, RelativeTime } from '@homeport/platform/web';
import { deployCountMessage, appTypeLabel } from '../shared/app-messages';
import { dnsStatusLabel } from '../shared/dns-messages';

/** One app of the list. The row links to the app's page, the address to the app itself. */
@Component({
  selector: 'hp-app-row',
  imports: [Icon, RelativeTime, RouterLink],
  templateUrl: './app-row.html',
  styleUrl: './app-row.css',
})
export class AppRow {
  readonly app = input.required<App>();
  protected readonly dns = computed(() => dnsStatusLabel(this.app().dns_status));
  protected readonly type = computed(() => appTypeLabel(this.app().type));
  protected readonly deploys = computed(() => deployCountMessage(this.app().deploy_count));
}
