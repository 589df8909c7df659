import { inject, Service } from '@angular/core';
import type { Deploy } from '@homeport/apps/contracts';
import { Confirmations } from '@homeport/platform/web';
import { DeploysClient } from '../../client/deploys-client';
import { numberOf } from '../deploy-messages';

/** Deletes a deploy after the user has confirmed. */
@Service()
export class DeployDeleter {
  readonly #client = inject(DeploysClient);
  readonly #confirmations = inject(Confirmations);

  /** @returns whether the deploy is deleted. */
  delete(deploy: Deploy): Promise<boolean> {
    return this.#confirmations.ask({
      title: $localize`Delete ${numberOf(deploy)}:number:?`,
      text: consequences(deploy),
      action: $localize`Delete`,
      run: () => this.#client.delete(deploy.id),
    });
  }
}

function consequences({ status }: Deploy): string {
  if (status === 'ready')
    return $localize`Its preview stops working, and the app cannot be rolled back to it. This cannot be undone.`;
  if (status === 'uploading' || status === 'processing')
    return $localize`The upload stops, and the deploy does not go live. This cannot be undone.`;
  return $localize`It is removed from the list. This cannot be undone.`;
}
