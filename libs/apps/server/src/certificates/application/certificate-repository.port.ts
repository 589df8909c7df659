import type { DomainCertificate } from '@homeport/apps/contracts';
import type { AuditEvent } from '@homeport/organizations/server';
import type { DomainClaimFacts } from '../../domains/domain/domain-claim';
import type { CertificateOrder, IssuedCertificate, OrderProgress } from '../domain/certificate-order';

/** Which certificates are wanted. */
export interface WantedCertificates {
  /** Whether challenges of base domains can be answered. */
  readonly includesBaseDomains: boolean;
  /** The names of the certificate of the platform domain; undefined without one. */
  readonly platformNames: readonly string[] | undefined;
  /** Whether the issuer keeps and renews certificates. */
  readonly isManaged: boolean;
}

/** An order, and the claim that it was placed for. */
export interface AcquiredOrder {
  readonly order: CertificateOrder;
  /** Undefined for the platform domain. */
  readonly claim: DomainClaimFacts | undefined;
  /** Whether there is a certificate that has not expired. */
  readonly hasValidCertificate: boolean;
}

export interface Postponement {
  readonly nextAttemptAt: Date;
  readonly failures: number;
  readonly error: string | null;
  /** Whether the order at the authority continues. */
  readonly keepsProgress: boolean;
  /** The new state of the claim; undefined for the same. */
  readonly state?: DomainCertificate | undefined;
  /** Recorded with the change. */
  readonly event?: AuditEvent | undefined;
}

export interface Completion {
  /** Undefined when the issuer keeps it. */
  readonly certificate: IssuedCertificate | undefined;
  readonly renewAt: Date;
  /** Recorded with the change. */
  readonly event: AuditEvent | undefined;
}

/** A certificate whose authority can be asked for the time of its renewal. */
export interface RenewalLook {
  readonly certificateId: string;
  readonly chain: string;
  readonly directory: string;
}

/** Stores certificates and orders. Every method can reject with DatabaseUnavailable. */
export abstract class CertificateRepository {
  /** Adds orders for claims without a certificate, and for certificates that are to be renewed. */
  abstract addWanted(wanted: WantedCertificates, now: Date): Promise<void>;

  /** Acquires due orders. No other call gets them before the lease ends. */
  abstract acquireDue(leaseMs: number, limit: number, now: Date): Promise<readonly AcquiredOrder[]>;

  /** @returns false when the lease was lost: then the caller must stop. */
  abstract saveProgress(order: CertificateOrder, progress: OrderProgress, state: DomainCertificate): Promise<boolean>;

  /** Ends the lease, and continues the order later. Does nothing when the lease was lost. */
  abstract postpone(order: CertificateOrder, postponement: Postponement): Promise<void>;

  /** Changes the challenge of an order that is not placed. */
  abstract changeChallenge(order: CertificateOrder, challenge: CertificateOrder['challenge']): Promise<void>;

  /**
   * Ends the order: stores its certificate in place of the former one, and sets the claim to `active`.
   * @returns false when the lease was lost.
   */
  abstract complete(order: CertificateOrder, completion: Completion): Promise<boolean>;

  /** Ends the order of a claim that may have no certificate. */
  abstract discard(order: CertificateOrder): Promise<void>;

  /** Removes the certificates and orders of released claims. */
  abstract removeReleased(): Promise<void>;

  /** @returns those of the claims that are verified and not released. */
  abstract keptClaims(claimIds: readonly string[]): Promise<ReadonlySet<string>>;

  /** Acquires certificates whose authority is to be asked for the time of renewal. */
  abstract acquireRenewalLooks(leaseMs: number, limit: number, now: Date): Promise<readonly RenewalLook[]>;

  abstract setRenewal(certificateId: string, renewAt: Date | undefined, nextLookAt: Date): Promise<void>;

  /** Milliseconds until the next order is due, 0 for an overdue one; undefined without any. */
  abstract msUntilDue(now: Date): Promise<number | undefined>;
}
