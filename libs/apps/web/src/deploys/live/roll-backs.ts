import { inject, Service } from '@angular/core';
import type { App, Deploy } from '@homeport/apps/contracts';
import { asHttpProblem, Confirmations, exactTime, type HttpProblem } from '@homeport/platform/web';
import { DeploysClient } from '../../client/deploys-client';
import type { HistoryPart } from '../history/deploy-history';

/** Which deploy somebody sees as the live one, and what else they see. */
export interface SeenDeploys {
  readonly appId: string;
  readonly liveId: string;
  readonly history: HistoryPart;
}

/** Those that can be made live instead, among those that are known. */
export function otherReady({ deploys }: HistoryPart, liveId: string | undefined): readonly Deploy[] {
  return deploys.filter(({ id, status }) => id !== liveId && status === 'ready');
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
  async ask(seen: SeenDeploys): Promise<App | undefined> {
    let app: App | undefined;
    let overtaken: HttpProblem | undefined;
    await this.#confirmations.ask({
      title: $localize`Roll back?`,
      text: consequences(seen),
      action: $localize`Roll back`,
      run: async () => {
        try {
          app = await this.#client.rollBack(seen.appId, seen.liveId);
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

/** Which one was live before, the API does not say; where there is only one other, it can be no other. */
function consequences({ liveId, history }: SeenDeploys): string {
  const [former, ...more] = otherReady(history, liveId);
  if (!former || more.length > 0 || history.hasMore) {
    return $localize`The deploy that was live before this one is live again at once, and this one stays in the history.`;
  }
  const time = exactTime(new Date(former.created_at));
  return $localize`The deploy of ${time}:time: is live at once, and this one stays in the history.`;
}
