import { inject, Service } from '@angular/core';
import type { App, AppDeletion } from '@homeport/apps/contracts';
import { asHttpProblem, Confirmations } from '@homeport/platform/web';
import { AppsClient } from '../client/apps-client';
import { deployCountMessage } from '../shared/app-messages';
import { type DeletionOutcome, deletionOutcome } from './deletion-outcome';

/** Deletes apps, once the person has typed the name. */
@Service()
export class AppDeleter {
  readonly #client = inject(AppsClient);
  readonly #confirmations = inject(Confirmations);
  #outcome: DeletionOutcome | undefined;

  /** @returns whether the app is gone. */
  async delete(app: App): Promise<boolean> {
    let dns: AppDeletion['dns'] | undefined;
    const isGone = await this.#confirmations.ask({
      title: $localize`Delete ${app.name}:name:?`,
      text: consequences(app),
      action: $localize`Delete app`,
      typed: app.name,
      run: async () => {
        dns = await this.#deleted(app.id);
      },
    });
    if (isGone) this.#outcome = deletionOutcome(app.name, dns);
    return isGone;
  }

  /** What the last deletion came to, once: for the page that it leads to. */
  takeOutcome(): DeletionOutcome | undefined {
    const outcome = this.#outcome;
    this.#outcome = undefined;
    return outcome;
  }

  /** Undefined when somebody else was faster. */
  async #deleted(id: string): Promise<AppDeletion['dns'] | undefined> {
    try {
      return (await this.#client.delete(id)).dns;
    } catch (error) {
      if (asHttpProblem(error).code === 'apps.not-found') return undefined;
      throw error;
    }
  }
}

function consequences({ hostname, deploy_count: deploys }: App): string {
  return deploys === 0
    ? $localize`${hostname}:hostname: stops working: its DNS record is removed. This cannot be undone.`
    : $localize`${hostname}:hostname: stops working: its DNS record is removed, and what was deployed is archived (${deployCountMessage(deploys)}:deploys:). This cannot be undone.`;
}
