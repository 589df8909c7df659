import { inject, Injector, Service } from '@angular/core';
import type { App, Hosting } from '@homeport/apps/contracts';
import { type ScreenData, Toasts } from '@homeport/platform/web';

/** Asks for a site in a dialog, which is loaded on first use. */
@Service()
export class DeployPrompt {
  readonly #injector = inject(Injector);
  readonly #toasts = inject(Toasts);

  /** Asks for a site and starts to deploy it. @returns whether a deploy has started. */
  async ask(app: App, hosting: ScreenData<Hosting>): Promise<boolean> {
    try {
      const { openDeployDialog } = await import('./deploy-dialog');
      return await openDeployDialog(this.#injector, { app, hosting });
    } catch {
      this.#toasts.show($localize`The dialog could not be shown. Check your connection and try again.`);
      return false;
    }
  }
}
