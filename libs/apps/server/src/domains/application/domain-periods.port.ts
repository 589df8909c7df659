import type { DomainClaimFacts } from '../domain/domain-claim';

/** The periods in which organizations are charged for domains. Every method can reject with DatabaseUnavailable. */
export abstract class DomainPeriods {
  /** Begins a period. Does nothing while one is open. */
  abstract open(claim: Pick<DomainClaimFacts, 'id' | 'organization' | 'kind' | 'name'>, from: Date): Promise<void>;

  /** Ends the open period, if there is one. */
  abstract close(claimId: string, to: Date): Promise<void>;
}
