import { inject, Injector, Service } from '@angular/core';
import type { App, Hosting } from '@homeport/apps/contracts';
import { type PickedFile, type ScreenData, Toasts } from '@homeport/platform/web';
import { siteSource } from '../source/site-source';
import { isInProgress } from './deploy-stage';
import { type DeployOptions, DeployUploads } from './deploy-uploads';

/** Starts deploys from dropped files and from a dialog, which is loaded on first use. */
@Service()
export class Deploying {
  readonly #injector = inject(Injector);
  readonly #toasts = inject(Toasts);
  readonly #uploads = inject(DeployUploads);

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

  /** Validates a selection and starts to deploy it. @returns why it was rejected; undefined when the deploy has started. */
  async start(app: App, picked: readonly PickedFile[], options: DeployOptions): Promise<string | undefined> {
    if (this.#isBusy(app)) return $localize`One deploy at a time: wait for this one, or cancel it.`;
    try {
      const source = await siteSource(picked, options.limits);
      if (source.kind === 'refused') return source.reason;
      this.#uploads.start(app, source, options);
      return undefined;
    } catch {
      return $localize`Your selection could not be read. Choose it again.`;
    }
  }

  #isBusy({ id }: App): boolean {
    const stage = this.#uploads.of(id)?.stage();
    return stage !== undefined && isInProgress(stage);
  }
}
