import { Component, computed, input } from '@angular/core';
import { RouterLink } from '@angular/router';
import type { App } from '@homeport/apps/contracts';
import { Icon, Moment } from '@homeport/platform/web';
import { deploysWords, typeWords } from '../shared/app-words';
import { dnsWords } from '../shared/dns-words';

/** One app of the list. All of it leads to the app's page, but for the address, which leads to the app itself. */
@Component({
  selector: 'hp-app-row',
  imports: [Icon, Moment, RouterLink],
  templateUrl: './app-row.html',
  styleUrl: './app-row.css',
})
export class AppRow {
  readonly app = input.required<App>();
  protected readonly dns = computed(() => dnsWords(this.app().dns_status));
  protected readonly type = computed(() => typeWords(this.app().type));
  protected readonly deploys = computed(() => deploysWords(this.app().deploy_count));
}
