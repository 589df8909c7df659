import { inject, Service } from '@angular/core';
import type { App, Deploy } from '@homeport/apps/contracts';
import { asHttpProblem, Confirmations, exactTime, type HttpProblem } from '@homeport/platform/web';
import { AppsClient } from '../../client/apps-client';
import { DeploysClient } from '../../client/deploys-client';

/** Which deploy somebody sees as the live one, and which they want instead. */
export interface ExpectedDeploys {
  readonly live: Deploy;
  readonly former: Deploy;
}

const NOT_ACTIVE = 'apps.deploy-not-active';

/** Rolls apps back, once the person has confirmed it. */
@Service()
export class Rollbacks {
  readonly #apps = inject(AppsClient);
  readonly #deploys = inject(DeploysClient);
  readonly #confirmations = inject(Confirmations);

  /**
   * @returns the app as it is then; undefined when the person left it.
   * @throws {HttpProblem} when something else was live by then: asking the same again would not help.
   */
  async ask(seen: ExpectedDeploys): Promise<App | undefined> {
    let app: App | undefined;
    let overtaken: HttpProblem | undefined;
    await this.#confirmations.ask({
      title: $localize`Roll back?`,
      text: consequences(seen.former),
      action: $localize`Roll back`,
      run: async () => {
        try {
          app = await this.#rollBack(seen);
        } catch (error) {
          const problem = asHttpProblem(error);
          if (problem.code !== NOT_ACTIVE) throw problem;
          overtaken = problem;
        }
      },
    });
    if (overtaken) throw overtaken;
    return app;
  }

  /** Whoever was faster may have done the same; it may have been this person, and the answer was lost. */
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

function consequences({ created_at, created_by }: Deploy): string {
  const time = exactTime(new Date(created_at));
  return $localize`The deploy of ${time}:time: by ${created_by}:author: is live at once. The present one stays in the history.`;
}
