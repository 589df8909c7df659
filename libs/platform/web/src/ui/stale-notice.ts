import { Component, input, output } from '@angular/core';
import type { HttpProblem } from '../http/http-problem';
import { Icon } from './icon/icon';

/** Marks what is on the screen as old, because reading it again failed. Its content may say how old. */
@Component({
  selector: 'hp-stale-notice',
  imports: [Icon],
  template: `
    <div class="notice" role="status">
      <hp-icon [name]="problem().kind === 'offline' ? 'offline' : 'alert'" />
      <span><ng-content>What you see may be old.</ng-content> {{ problem().title }}.</span>
      <button type="button" class="button small" [disabled]="busy()" (click)="retry.emit()">
        {{ busy() ? 'Trying…' : 'Retry' }}
      </button>
    </div>
  `,
})
export class StaleNotice {
  readonly problem = input.required<HttpProblem>();
  readonly busy = input(false);
  readonly retry = output();
}
