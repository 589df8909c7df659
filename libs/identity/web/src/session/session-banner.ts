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
        <span>{{ message() }}</span>
        <button type="button" class="button small" [disabled]="session.busy()" (click)="session.retry()">
          {{ retryLabel() }}
        </button>
      </div>
    }
  `,
})
export class SessionBanner {
  protected readonly session = inject(AuthSession);

  protected retryLabel(): string {
    return this.session.busy() ? $localize`Retrying…` : $localize`Retry`;
  }

  protected message(): string {
    return navigator.onLine
      ? $localize`The sign-in service cannot be reached. You are still signed in.`
      : $localize`You are offline. You are still signed in.`;
  }
}
