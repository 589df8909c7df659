import type { DomainRecord } from '@homeport/apps/contracts';
import type { DomainClaimChanges, DomainClaimFacts } from '../domain/domain-claim';
import type { DomainName } from '../domain/domain-name';

/** A claim with what its last check saw. */
export interface DomainClaimRecord extends DomainClaimFacts {
  readonly records: readonly DomainRecord[];
  readonly certificateExpiresAt: Date | undefined;
}

/** A claim, before or after it is stored. */
export type ClaimIdentity = Pick<DomainClaimFacts, 'id' | 'organization' | 'name'>;

/** Stores the claims of all organizations. Every method can reject with DatabaseUnavailable. */
export abstract class DomainClaimRepository {
  /** @throws {DomainTaken} when the organization has an unreleased claim to the name. */
  abstract add(claim: DomainClaimFacts, records: readonly DomainRecord[]): Promise<void>;

  /** @returns undefined for a released claim too. */
  abstract find(organization: string, id: string): Promise<DomainClaimRecord | undefined>;

  /** Finds the unreleased claim of an organization to a name. */
  abstract findByName(organization: string, name: DomainName): Promise<DomainClaimRecord | undefined>;

  /** How many unreleased claims of an organization are not verified. */
  abstract countPending(organization: string): Promise<number>;

  /** The unreleased claims of an organization, oldest first. @param appId only those of this app. */
  abstract list(organization: string, appId?: string): Promise<readonly DomainClaimRecord[]>;

  /**
   * Locks all claims below the registrable domain of a claim until the end of the unit of work, those of other
   * organizations included.
   * @returns the claim itself, if it is stored and unreleased, and the verified claims of other organizations at, above
   * and below its name.
   */
  abstract lockRelated(claim: ClaimIdentity): Promise<readonly DomainClaimFacts[]>;

  /**
   * Locks the claims of an organization against new ones and against changes of its members, until the end of the unit
   * of work. A unit of work that also locks related claims does that first.
   */
  abstract lockOrganization(organization: string): Promise<void>;

  /** Changes a claim, and what its last check saw. */
  abstract change(id: string, changes: DomainClaimChanges, records?: readonly DomainRecord[]): Promise<void>;

  /** Ends the redirects of an organization that lead to a name which it has lost. */
  abstract endRedirectsTo(organization: string, name: DomainName): Promise<void>;

  /**
   * Acquires claims whose check is due, the longest overdue first. No other call gets them before the lease ends.
   * @param leaseMs milliseconds. @param limit maximum number of claims.
   */
  abstract acquireDue(leaseMs: number, limit: number): Promise<readonly DomainClaimFacts[]>;

  /** Milliseconds until the next check is due, 0 for an overdue one; undefined without any. */
  abstract msUntilDue(): Promise<number | undefined>;
}
