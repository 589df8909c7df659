import { Component, input, output } from '@angular/core';
import type { HttpProblem } from '../http/http-problem';
import { Icon } from './icon/icon';

/** Marks the shown data as outdated because a reload failed. The content may say how old it is. */
@Component({
  selector: 'hp-stale-notice',
  imports: [Icon],
  template: `
    <div class="notice" role="status">
      <hp-icon [name]="problem().kind === 'offline' ? 'offline' : 'alert'" />
      <span
        ><ng-content><ng-container i18n>This information may be outdated.</ng-container></ng-content>
        {{ problem().title }}.</span
      >
      <button type="button" class="button small" [disabled]="busy()" (click)="retry.emit()">
        {{ words() }}
      </button>
    </div>
  `,
})
export class StaleNotice {
  readonly problem = input.required<HttpProblem>();
  readonly busy = input(false);
  readonly retry = output();

  protected words(): string {
    return this.busy() ? $localize`Retrying…` : $localize`Retry`;
  }
}
