import { Component, inject } from '@angular/core';
import { Icon } from '@homeport/platform/web';
import { AuthSession } from './auth-session';

/** Shows that the session could not be checked, and offers a retry. */
@Component({
  selector: 'hp-session-banner',
  imports: [Icon],
  template: `
    @if (session.state() === 'unreachable') {
      <div class="notice" role="alert">
        <hp-icon name="offline" />
        <span>{{ words() }}</span>
        <button type="button" class="button small" [disabled]="session.busy()" (click)="session.retry()">
          {{ retryWords() }}
        </button>
      </div>
    }
  `,
})
export class SessionBanner {
  protected readonly session = inject(AuthSession);

  protected retryWords(): string {
    return this.session.busy() ? $localize`Trying…` : $localize`Retry`;
  }

  protected words(): string {
    return navigator.onLine
      ? $localize`The sign-in service cannot be reached. You have not been signed out.`
      : $localize`You are offline. You have not been signed out.`;
  }
}
