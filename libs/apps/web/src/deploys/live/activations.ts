import { inject, Service } from '@angular/core';
import type { App, DeployDetails } from '@homeport/apps/contracts';
import { Confirmations } from '@homeport/platform/web';
import { DeploysClient } from '../../client/deploys-client';
import { numberOf } from '../deploy-messages';
import { consequences } from './consequences';

/** Makes a deploy live after the user has confirmed. */
@Service()
export class Activations {
  readonly #deploys = inject(DeploysClient);
  readonly #confirmations = inject(Confirmations);

  /**
   * @param deploy with its problems: a missing start page is part of the question.
   * @param hasLive whether another deploy is live.
   * @returns the updated app; undefined when the user cancelled.
   */
  async ask(deploy: DeployDetails, hasLive: boolean): Promise<App | undefined> {
    let app: App | undefined;
    await this.#confirmations.ask({
      title: $localize`Make ${numberOf(deploy)}:number: live?`,
      text: consequences(deploy, hasLive),
      action: $localize`Make live`,
      isHarmless: true,
      run: async () => {
        app = await this.#deploys.activate(deploy.id);
      },
    });
    return app;
  }
}
