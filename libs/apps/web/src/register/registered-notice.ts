import { Component, computed, input } from '@angular/core';
import { RouterLink } from '@angular/router';
import type { App } from '@homeport/apps/contracts';
import { Icon } from '@homeport/platform/web';
import { DNS_WORDS, dnsSentence } from '../shared/dns-words';

/** What came of a registration, also when only half of it worked. */
@Component({
  selector: 'hp-registered-notice',
  imports: [Icon, RouterLink],
  template: `
    <p [class]="'card status ' + dns().tone">
      <hp-icon [name]="dns().icon" />
      <span>
        @if (app().dns_status === 'dns-failed') {
          <b>{{ app().name }}</b> is registered, but its address does not work yet. {{ sentence() }}
        } @else {
          <b>{{ app().name }}</b> is registered. {{ sentence() }}
        }
        <a [routerLink]="['/apps', app().id]" [state]="{ name: app().name }">See its page</a>
      </span>
    </p>
  `,
  styles: `
    .card {
      display: flex;
      align-items: start;
      gap: 10px;
      margin: 0 0 16px;
      padding: 12px 16px;
    }
    hp-icon {
      margin-top: 1px;
    }
    span {
      min-width: 0;
      overflow-wrap: anywhere;
    }
    a {
      white-space: nowrap;
    }
  `,
})
export class RegisteredNotice {
  readonly app = input.required<App>();
  protected readonly dns = computed(() => DNS_WORDS[this.app().dns_status]);
  protected readonly sentence = computed(() => dnsSentence(this.app()));
}
