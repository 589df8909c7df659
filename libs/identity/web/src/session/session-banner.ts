import { Component, inject } from '@angular/core';
import { Icon } from '@homeport/platform/web';
import { AuthSession } from './auth-session';

/** Says that nobody could be asked whether there is a session, and asks again. */
@Component({
  selector: 'hp-session-banner',
  imports: [Icon],
  template: `
    @if (session.state() === 'unreachable') {
      <div class="notice" role="alert">
        <hp-icon name="offline" />
        <span>{{ words() }}</span>
        <button type="button" class="button small" [disabled]="session.busy()" (click)="session.retry()">
          {{ session.busy() ? 'Trying…' : 'Retry' }}
        </button>
      </div>
    }
  `,
})
export class SessionBanner {
  protected readonly session = inject(AuthSession);

  protected words(): string {
    return navigator.onLine
      ? 'The sign-in service cannot be reached. You have not been signed out.'
      : 'You are offline. You have not been signed out.';
  }
}
