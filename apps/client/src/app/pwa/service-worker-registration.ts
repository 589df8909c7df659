import { DOCUMENT, effect, inject, Injectable } from '@angular/core';
import { AuthSession } from '@homeport/identity/web';
import { cacheUsedScripts } from './used-scripts';

export const SCRIPT = '/ngsw-worker.js';

/**
 * Registers the service worker, and again after a sign-out, which deletes it with all stored data. The app stays
 * installed and starts offline; the worker caches only the app's own files, which contain no personal data.
 */
@Injectable()
export class ServiceWorkerRegistration {
  readonly #session = inject(AuthSession);
  readonly #workers = inject(DOCUMENT).defaultView?.navigator.serviceWorker;
  #wasSignedIn = false;

  constructor() {
    if (this.#workers) cacheUsedScripts(this.#workers);
    void this.#register();
    effect(() => {
      const state = this.#session.state();
      if (state === 'signed-out' && this.#wasSignedIn) void this.#register();
      this.#wasSignedIn = state === 'signed-in';
    });
  }

  async #register(): Promise<void> {
    try {
      await this.#workers?.register(SCRIPT);
    } catch {
      // The next start of the app registers it.
    }
  }
}
