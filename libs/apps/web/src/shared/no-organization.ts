import { Component, input, output } from '@angular/core';
import { EmptyState } from '@homeport/platform/web';

/** Instead of apps, for somebody who is in no organization. */
@Component({
  selector: 'hp-no-organization',
  imports: [EmptyState],
  template: `
    <hp-empty-state
      icon="apps"
      text="Apps belong to an organization, and your account is in none. Ask an administrator to add you."
    >
      <button type="button" class="button" [disabled]="busy()" (click)="check.emit()">
        {{ busy() ? 'Checking…' : 'Check again' }}
      </button>
    </hp-empty-state>
  `,
})
export class NoOrganization {
  readonly busy = input(false);
  readonly check = output();
}
