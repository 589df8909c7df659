import { inject, Service } from '@angular/core';
import type { Deploy } from '@homeport/apps/contracts';
import { Confirmations } from '@homeport/platform/web';
import { DeploysClient } from '../../client/deploys-client';

/** Removes the address of a branch after the user has confirmed. */
@Service()
export class AliasRemover {
  readonly #client = inject(DeploysClient);
  readonly #confirmations = inject(Confirmations);

  /** @returns whether the address is removed. */
  async remove({ app_id: appId, alias_url: url, source }: Deploy): Promise<boolean> {
    const branch = source?.branch;
    if (!branch || url === null) return false;
    return this.#confirmations.ask({
      title: $localize`Remove the address of ${branch}:branch:?`,
      text: $localize`People who open ${new URL(url).host}:address: see “Not found”. The deploys stay, and the next deploy of the branch gets the address again.`,
      action: $localize`Remove`,
      run: () => this.#client.removeAlias(appId, branch),
    });
  }
}
