import { Component, computed, inject, signal } from '@angular/core';
import { asHttpProblem, ErrorPanel, type HttpProblem, Icon, Skeleton } from '@homeport/platform/web';
import { AuthSession } from '../session/auth-session';
import { SessionListCard } from './sessions/session-list';

/** Who is signed in, and where. */
@Component({
  selector: 'hp-account-settings',
  imports: [ErrorPanel, Icon, SessionListCard, Skeleton],
  templateUrl: './account-settings.html',
  styleUrls: ['./settings-card.css', './account-settings.css'],
})
export class AccountSettings {
  protected readonly session = inject(AuthSession);
  protected readonly initial = computed(() => {
    const user = this.session.user();
    return (user?.name ?? user?.email ?? user?.sub ?? '').charAt(0).toUpperCase();
  });
  protected readonly busy = signal(false);
  protected readonly problem = signal<HttpProblem | undefined>(undefined);

  protected readonly signOutWords = computed(() => (this.busy() ? $localize`Signing out…` : $localize`Sign out`));
  protected readonly retryWords = computed(() => (this.session.busy() ? $localize`Retrying…` : $localize`Retry`));

  protected async signOut(): Promise<void> {
    this.busy.set(true);
    this.problem.set(undefined);
    try {
      await this.session.signOut();
    } catch (error) {
      this.problem.set(asHttpProblem(error));
    } finally {
      this.busy.set(false);
    }
  }
}
