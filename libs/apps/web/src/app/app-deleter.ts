import { inject, Service } from '@angular/core';
import type { App, AppDeletion } from '@homeport/apps/contracts';
import { asHttpProblem, Confirmations } from '@homeport/platform/web';
import { AppsClient } from '../client/apps-client';
import { deployCountMessage } from '../shared/app-messages';
import { type DeletionOutcome, deletionOutcome } from './deletion-outcome';

/** Deletes an app after the user has confirmed by typing its name. */
@Service()
export class AppDeleter {
  readonly #client = inject(AppsClient);
  readonly #confirmations = inject(Confirmations);
  #outcome: DeletionOutcome | undefined;

  /** @returns whether the app no longer exists. */
  async delete(app: App): Promise<boolean> {
    let dns: AppDeletion['dns'] | undefined;
    const isDeleted = await this.#confirmations.ask({
      title: $localize`Delete ${app.name}:name:?`,
      text: app.addresses.some(({ kind }) => kind === 'hostname')
        ? $localize`${consequences(app)}:consequences: Its own domains show “Not found” until they are added to another app.`
        : consequences(app),
      action: $localize`Delete app`,
      typed: app.name,
      run: async () => {
        dns = await this.#deleted(app.id);
      },
    });
    if (isDeleted) this.#outcome = deletionOutcome(app.name, dns);
    return isDeleted;
  }

  /** Returns the outcome of the last deletion once, for the page that is shown next. */
  takeOutcome(): DeletionOutcome | undefined {
    const outcome = this.#outcome;
    this.#outcome = undefined;
    return outcome;
  }

  /** @returns undefined when the app was already deleted. */
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
    : $localize`${hostname}:hostname: stops working: its DNS record is removed, and its deploys are archived (${deployCountMessage(deploys)}:deploys:). This cannot be undone.`;
}
