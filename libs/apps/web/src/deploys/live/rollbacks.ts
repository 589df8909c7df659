import { inject, Service } from '@angular/core';
import type { App, Deploy, DeployDetails } from '@homeport/apps/contracts';
import { asHttpProblem, Confirmations, type HttpProblem } from '@homeport/platform/web';
import { AppsClient } from '../../client/apps-client';
import { DeploysClient } from '../../client/deploys-client';
import { numberOf } from '../deploy-messages';
import { consequences } from './consequences';

/** The deploy shown as live and the deploy to roll back to. */
export interface ExpectedDeploys {
  readonly live: Deploy;
  /** With its problems: a missing start page is part of the question. */
  readonly former: DeployDetails;
}

const NOT_ACTIVE = 'apps.deploy-not-active';

/** Rolls an app back after the user has confirmed. */
@Service()
export class Rollbacks {
  readonly #apps = inject(AppsClient);
  readonly #deploys = inject(DeploysClient);
  readonly #confirmations = inject(Confirmations);

  /**
   * @returns the updated app; undefined when the user cancelled.
   * @throws {HttpProblem} when another deploy became live first: a retry would fail again.
   */
  async ask(expected: ExpectedDeploys): Promise<App | undefined> {
    let app: App | undefined;
    let conflict: HttpProblem | undefined;
    await this.#confirmations.ask({
      title: $localize`Roll back to ${numberOf(expected.former)}:number:?`,
      text: consequences(expected.former, true),
      action: $localize`Roll back`,
      isHarmless: true,
      run: async () => {
        try {
          app = await this.#rollBack(expected);
        } catch (error) {
          const problem = asHttpProblem(error);
          if (problem.code !== NOT_ACTIVE) throw problem;
          conflict = problem;
        }
      },
    });
    if (conflict) throw conflict;
    return app;
  }

  /**
   * A conflict is a success when the target is already live: another user rolled back first, or the response of an
   * earlier attempt was lost.
   */
  async #rollBack({ live, former }: ExpectedDeploys): Promise<App> {
    try {
      return await this.#deploys.rollBack(live.app_id, { from: live.id, to: former.id });
    } catch (error) {
      if (asHttpProblem(error).code !== NOT_ACTIVE) throw error;
      const app = await this.#apps.get(live.app_id);
      if (app.active_deploy_id !== former.id) throw error;
      return app;
    }
  }
}
