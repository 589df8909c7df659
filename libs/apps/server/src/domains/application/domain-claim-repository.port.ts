import type { DomainRecord } from '@homeport/apps/contracts';
import type { DomainClaimChanges, DomainClaimFacts } from '../domain/domain-claim';

/** A claim with what its last check saw. */
export interface DomainClaimRecord extends DomainClaimFacts {
  readonly records: readonly DomainRecord[];
  readonly certificateExpiresAt: Date | undefined;
}

/** Stores the claims of all organizations. Every method can reject with DatabaseUnavailable. */
export abstract class DomainClaimRepository {
  /** @throws {DomainTaken} when the organization has an unreleased claim to the name. */
  abstract add(claim: DomainClaimFacts, records: readonly DomainRecord[]): Promise<void>;

  /** @returns undefined for a released claim too. */
  abstract find(organization: string, id: string): Promise<DomainClaimRecord | undefined>;

  /** The unreleased claims of an organization, oldest first. @param appId only those of this app. */
  abstract list(organization: string, appId?: string): Promise<readonly DomainClaimRecord[]>;

  /**
   * Locks all claims at and below a registrable domain until the end of the unit of work, those of other organizations
   * included.
   * @returns the unreleased ones.
   */
  abstract lockRegistrableDomain(registrableDomain: string): Promise<readonly DomainClaimFacts[]>;

  /** Changes a claim, and what its last check saw. */
  abstract change(id: string, changes: DomainClaimChanges, records?: readonly DomainRecord[]): Promise<void>;

  /**
   * Acquires claims whose check is due, the longest overdue first. No other call gets them before the lease ends.
   * @param leaseMs milliseconds. @param limit maximum number of claims.
   */
  abstract acquireDue(leaseMs: number, limit: number): Promise<readonly DomainClaimFacts[]>;

  /** Milliseconds until the next check is due, 0 for an overdue one; undefined without any. */
  abstract msUntilDue(): Promise<number | undefined>;
}
