import { Component, computed, input, output } from '@angular/core';
import { EmptyState } from '@homeport/platform/web';

/** Replaces the apps when the user has no organization. */
@Component({
  selector: 'hp-no-organization',
  imports: [EmptyState],
  template: `
    <hp-empty-state
      icon="apps"
      i18n-text
      text="Apps belong to an organization, and your account is not in one. Ask an administrator to add you."
    >
      <button type="button" class="button" [disabled]="busy()" (click)="check.emit()">
        {{ words() }}
      </button>
    </hp-empty-state>
  `,
})
export class NoOrganization {
  readonly busy = input(false);
  readonly check = output();
  protected readonly words = computed(() => (this.busy() ? $localize`Checking…` : $localize`Check again`));
}
