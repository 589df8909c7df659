import { DOCUMENT, effect, inject, Service } from '@angular/core';
import { SwUpdate } from '@angular/service-worker';
import { AuthSession } from '@homeport/identity/web';

/** Where `provideServiceWorker` registers it. */
const SCRIPT = 'ngsw-worker.js';

/**
 * Registers the service worker again after a sign-out, which deletes it along with everything the browser stored: the
 * app stays installed and starts without a connection. Its copies of our files come anew, none of them is personal.
 */
@Service()
export class ServiceWorkerReregistration {
  readonly #session = inject(AuthSession);
  readonly #workers = inject(DOCUMENT).defaultView?.navigator.serviceWorker;
  #wasSignedIn = false;

  constructor() {
    if (!inject(SwUpdate).isEnabled) return;
    effect(() => {
      const state = this.#session.state();
      if (state === 'signed-out' && this.#wasSignedIn) void this.#register();
      this.#wasSignedIn = state === 'signed-in';
    });
  }

  async #register(): Promise<void> {
    try {
      if (!(await this.#workers?.getRegistration())) await this.#workers?.register(SCRIPT);
    } catch {
      // The next start of the app registers it.
    }
  }
}
