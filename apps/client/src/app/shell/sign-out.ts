import { inject, Service } from '@angular/core';
import { AuthSession } from '@homeport/identity/web';
import { asHttpProblem, Toasts } from '@homeport/platform/web';

/** Signs the user out from any page. */
@Service()
export class SignOut {
  readonly #session = inject(AuthSession);
  readonly #toasts = inject(Toasts);
  #isRunning = false;

  /** Never rejects: a failure is shown with a retry button. */
  async run(): Promise<void> {
    if (this.#isRunning) return;
    this.#isRunning = true;
    try {
      await this.#session.signOut();
    } catch (error) {
      const { detail } = asHttpProblem(error);
      this.#toasts.show($localize`You are still signed in: signing out failed. ${detail}:detail:`, {
        label: $localize`Retry`,
        run: () => void this.run(),
      });
    } finally {
      this.#isRunning = false;
    }
  }
}
