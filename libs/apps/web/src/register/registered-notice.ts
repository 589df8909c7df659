import { Component, computed, input } from '@angular/core';
import { RouterLink } from '@angular/router';
import type { App } from '@homeport/apps/contracts';
import { dnsStatusMessage, dnsStatusLabel } from '../shared/dns-messages';
import { OutcomeNotice } from '../shared/outcome-notice';

/** The outcome of a registration, including a failed DNS record. */
@Component({
  selector: 'hp-registered-notice',
  imports: [OutcomeNotice, RouterLink],
  template: `
    <hp-outcome-notice [tone]="dns().tone">
      @if (app().dns_status === 'dns-failed') {
        <ng-container i18n
          ><b>{{ app().name }}</b> is registered, but its address does not work yet.</ng-container
        >
        {{ sentence() }}
      } @else {
        <ng-container i18n
          ><b>{{ app().name }}</b> is registered.</ng-container
        >
        {{ sentence() }}
      }
      <a [routerLink]="['/apps', app().id]" [state]="{ name: app().name }" i18n>View app</a>
    </hp-outcome-notice>
  `,
  styles: `
    a {
      white-space: nowrap;
    }
  `,
})
export class RegisteredNotice {
  readonly app = input.required<App>();
  protected readonly dns = computed(() => dnsStatusLabel(this.app().dns_status));
  protected readonly sentence = computed(() => dnsStatusMessage(this.app()));
}
