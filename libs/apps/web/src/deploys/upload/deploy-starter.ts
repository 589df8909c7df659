import { inject, Service } from '@angular/core';
import type { App } from '@homeport/apps/contracts';
import type { PickedFile } from '@homeport/platform/web';
import { siteSource } from '../source/site-source';
import { isInProgress } from './deploy-stage';
import { type DeployOptions, DeployUploads } from './deploy-uploads';

/** Starts deploys from picked files. */
@Service()
export class DeployStarter {
  readonly #uploads = inject(DeployUploads);

  /** Validates a selection and starts to deploy it. @returns why it was rejected; undefined when the deploy has started. */
  async start(app: App, picked: readonly PickedFile[], options: DeployOptions): Promise<string | undefined> {
    if (this.#isBusy(app)) return $localize`One deploy at a time: wait for this one, or cancel it.`;
    try {
      const source = await siteSource(picked, options.limits, app.type);
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
