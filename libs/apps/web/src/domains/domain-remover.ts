import { inject, Service } from '@angular/core';
import type { Domain } from '@homeport/apps/contracts';
import { asHttpProblem, Confirmations, Toasts } from '@homeport/platform/web';
import { DomainsClient } from '../client/domains-client';

/** Removes a domain after the person has confirmed: by typing its name when visitors see an app there. */
@Service()
export class DomainRemover {
  readonly #client = inject(DomainsClient);
  readonly #confirmations = inject(Confirmations);
  readonly #toasts = inject(Toasts);

  /** @returns whether the domain no longer exists. */
  async remove(domain: Domain): Promise<boolean> {
    const { id, name } = domain;
    const isRemoved = await this.#confirmations.ask({
      title: $localize`Remove ${name}:name:?`,
      text: consequences(domain),
      action: $localize`Remove domain`,
      ...(isServing(domain) && { typed: name }),
      run: () => this.#remove(id),
    });
    if (isRemoved) this.#toasts.show($localize`Removed ${name}:name:. Its DNS records can be deleted too.`);
    return isRemoved;
  }

  /** A domain that another person has removed is removed too. */
  async #remove(id: string): Promise<void> {
    try {
      await this.#client.remove(id);
    } catch (error) {
      if (asHttpProblem(error).code !== 'apps.domain-not-found') throw error;
    }
  }
}

/** Whether visitors see something that the removal takes away. */
function isServing({ ownership, routing, status }: Domain): boolean {
  const isOwned = ownership === 'verified' || ownership === 'failing';
  return isOwned && status !== 'suspended' && (routing === 'here' || routing === 'partly');
}

function consequences(domain: Domain): string {
  const { kind, name } = domain;
  if (!isServing(domain)) return $localize`The domain shows no app now, so visitors notice nothing.`;
  return kind === 'base'
    ? $localize`The addresses of all apps below ${name}:name: stop working at once.`
    : $localize`Visitors of ${name}:name: see “Not found” at once. The app keeps its other addresses.`;
}
