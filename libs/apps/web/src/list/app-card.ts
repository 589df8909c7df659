import { Component, computed, input } from '@angular/core';
import { RouterLink } from '@angular/router';
import type { App } from '@homeport/apps/contracts';
import { Icon } from '@homeport/platform/web';
import { AppStatusLine } from '../shared/app-status-line';
import { AppCover } from '../shared/cover/app-cover';
import { hostOf } from '../shared/host-of';

/** One app of the list. The card links to the app's page, the address to the app itself. */
@Component({
  selector: 'hp-app-card',
  imports: [AppCover, AppStatusLine, Icon, RouterLink],
  template: `
    <hp-app-cover [name]="app().name" />
    <div class="words">
      <h2>
        <a [routerLink]="['/apps', app().id]" [state]="{ name: app().name }" [title]="app().name">{{ app().name }}</a>
      </h2>
      <a class="address" [href]="app().url" [title]="host()" target="_blank" rel="noopener noreferrer"
        ><span>{{ host() }}</span
        ><hp-icon name="external" /><span class="visually-hidden" i18n>(new tab)</span></a
      >
      <hp-app-status-line [app]="app()" />
    </div>
  `,
  styleUrl: './app-card.css',
})
export class AppCard {
  readonly app = input.required<App>();
  protected readonly host = computed(() => hostOf(this.app().url));
}
