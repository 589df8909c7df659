import { inject, Service } from '@angular/core';
import type { App, Deploy } from '@homeport/apps/contracts';
import { asHttpProblem, Confirmations, exactTime, type HttpProblem } from '@homeport/platform/web';
import { DeploysClient } from '../../client/deploys-client';

/** Which deploy somebody sees as the live one, and which they want instead. */
export interface SeenDeploys {
  readonly live: Deploy;
  readonly former: Deploy;
}

/** Rolls apps back, once the person has confirmed it. */
@Service()
export class RollBacks {
  readonly #client = inject(DeploysClient);
  readonly #confirmations = inject(Confirmations);

  /**
   * @returns the app as it is then; undefined when the person left it.
   * @throws {HttpProblem} when another deploy was live by then: asking the same again would not help.
   */
  async ask({ live, former }: SeenDeploys): Promise<App | undefined> {
    let app: App | undefined;
    let overtaken: HttpProblem | undefined;
    await this.#confirmations.ask({
      title: $localize`Roll back?`,
      text: consequences(former),
      action: $localize`Roll back`,
      run: async () => {
        try {
          app = await this.#client.rollBack(live.app_id, live.id);
        } catch (error) {
          const problem = asHttpProblem(error);
          if (problem.code !== 'apps.deploy-not-active') throw problem;
          overtaken = problem;
        }
      },
    });
    if (overtaken) throw overtaken;
    return app;
  }
}

function consequences({ created_at, created_by }: Deploy): string {
  const time = exactTime(new Date(created_at));
  return $localize`The deploy of ${time}:time: by ${created_by}:author: is live at once. The present one stays in the history.`;
}
