import { inject, Service } from '@angular/core';
import type { App, AppDeletion } from '@homeport/apps/contracts';
import { asHttpProblem, Confirmations, Toasts } from '@homeport/platform/web';
import { AppsClient } from '../client/apps-client';
import { deploysWords } from '../shared/app-words';

const LONGEST_IN_TOAST = 32;

/** Deletes apps, once the person has typed the name. */
@Service()
export class AppDeleter {
  readonly #client = inject(AppsClient);
  readonly #confirmations = inject(Confirmations);
  readonly #toasts = inject(Toasts);

  /** @returns whether the app is gone. */
  async delete(app: App): Promise<boolean> {
    let dns: AppDeletion['dns'] | undefined;
    const isGone = await this.#confirmations.ask({
      title: `Delete ${app.name}?`,
      text: consequences(app),
      action: 'Delete app',
      typed: app.name,
      run: async () => {
        dns = await this.#deleted(app.id);
      },
    });
    if (isGone) this.#toasts.show(outcome(shortened(app.name), dns));
    return isGone;
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
  const archived = deploys === 0 ? '' : ` and its ${deploysWords(deploys)} archived`;
  return `${hostname} stops working: its DNS record is removed${archived}. This cannot be undone.`;
}

function outcome(name: string, dns: AppDeletion['dns'] | undefined): string {
  if (dns === undefined) return `${name} was deleted already.`;
  if (dns === 'deleted') return `Deleted ${name} and its DNS record.`;
  return `Deleted ${name}. Its DNS record could not be removed yet; that is tried again until it is gone.`;
}

/** A toast is no place for a long name: it would stand over the list. */
function shortened(name: string): string {
  return name.length <= LONGEST_IN_TOAST ? name : `${name.slice(0, LONGEST_IN_TOAST - 1)}…`;
}
