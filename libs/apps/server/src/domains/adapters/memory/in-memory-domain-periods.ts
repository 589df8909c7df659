import type { InMemoryApps } from '../../../shared/adapters/memory/in-memory-apps';
import { DomainPeriods } from '../../application/domain-periods.port';
import type { DomainClaimFacts } from '../../domain/domain-claim';

/** The periods in memory, for tests. */
export class InMemoryDomainPeriods extends DomainPeriods {
  constructor(private readonly store: InMemoryApps) {
    super();
  }

  async open(claim: Pick<DomainClaimFacts, 'id' | 'organization' | 'kind' | 'name'>, from: Date): Promise<void> {
    if (this.#openKey(claim.id) !== undefined) return;
    const { id: claimId, organization, kind, name } = claim;
    this.store.domainPeriods.set(String(this.store.domainPeriods.size), { claimId, organization, kind, name, from });
  }

  async close(claimId: string, to: Date): Promise<void> {
    const key = this.#openKey(claimId);
    const period = this.store.domainPeriods.get(key ?? '');
    if (key !== undefined && period) this.store.domainPeriods.set(key, { ...period, to });
  }

  #openKey(claimId: string): string | undefined {
    return [...this.store.domainPeriods].find(([, period]) => period.claimId === claimId && !period.to)?.[0];
  }
}
