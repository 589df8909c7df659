import { DOCUMENT, effect, inject, Service } from '@angular/core';
import { SwUpdate } from '@angular/service-worker';
import { AuthSession } from '@homeport/identity/web';

/** The script that `provideServiceWorker` registers. */
const SCRIPT = 'ngsw-worker.js';

/**
 * Registers the service worker again after a sign-out, which deletes it with all stored data. The app stays installed
 * and starts offline; the worker caches only the app's own files, which contain no personal data.
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
