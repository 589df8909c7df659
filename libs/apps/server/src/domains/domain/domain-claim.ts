import type {
  DomainCertificate,
  DomainKind,
  DomainOwnership,
  DomainRouting,
  DomainStatus,
} from '@homeport/apps/contracts';
import { checkDelay, PENDING_LIFETIME_MS } from './check-schedule';
import type { DomainName } from './domain-name';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** How long the proof of ownership may be missing before something happens. */
const NOTICE_AFTER_MS = 72 * HOUR_MS;
const SUSPENDED_AFTER_MS = 7 * DAY_MS;
const RELEASED_AFTER_MS = 30 * DAY_MS;

/** The stored values of a claim. */
export interface DomainClaimFacts {
  readonly id: string;
  readonly organization: string;
  readonly kind: DomainKind;
  readonly name: DomainName;
  /** The app of a host name; undefined for base domains, and after the app was deleted. */
  readonly appId: string | undefined;
  /** The value of the TXT record contains it. */
  readonly token: string;
  readonly createdAt: Date;
  readonly verifiedAt: Date | undefined;
  /** Since when every answer says that the TXT record is missing. Time without any answer does not count. */
  readonly failingSince: Date | undefined;
  readonly noticedAt: Date | undefined;
  readonly checkedAt: Date | undefined;
  readonly suspendedAt: Date | undefined;
  readonly releasedAt: Date | undefined;
  readonly routing: DomainRouting;
  readonly certificate: DomainCertificate;
  readonly isPrimary: boolean;
  readonly redirectTo: string | undefined;
  /** Whether browsers are told to open the domain by https only. */
  readonly hsts: boolean;
  /** USD a month. */
  readonly priceUsd: number;
  readonly cardVersion: string;
  readonly nextCheckAt: Date | undefined;
}

export type DomainClaimChanges = Partial<
  Pick<
    DomainClaimFacts,
    | 'verifiedAt'
    | 'failingSince'
    | 'noticedAt'
    | 'checkedAt'
    | 'suspendedAt'
    | 'releasedAt'
    | 'routing'
    | 'certificate'
    | 'nextCheckAt'
    | 'isPrimary'
    | 'redirectTo'
    | 'hsts'
    | 'appId'
  >
>;

/** What the name servers say of the TXT record. `unknown`: not one of them answered, which proves nothing. */
export type OwnershipProof = 'present' | 'absent' | 'unknown';

/** The result of a check. */
export interface DomainFinding {
  readonly proof: OwnershipProof;
  readonly routing: DomainRouting;
}

/** When a claim without a proof changes next. */
export interface DomainDeadlines {
  /** Undefined when it is suspended already. */
  readonly suspension: Date | undefined;
  readonly release: Date;
}

/** A claim of an organization to a domain, with its rules. It is immutable: methods return the changes. */
export class DomainClaim {
  /** @param needsCertificate whether this installation gets certificates. */
  constructor(
    readonly facts: DomainClaimFacts,
    private readonly needsCertificate: boolean,
  ) {}

  get ownership(): DomainOwnership {
    const { releasedAt, verifiedAt, failingSince } = this.facts;
    if (releasedAt) return 'lost';
    if (!verifiedAt) return 'pending';
    return failingSince ? 'failing' : 'verified';
  }

  get status(): DomainStatus {
    const { releasedAt, suspendedAt, verifiedAt } = this.facts;
    if (releasedAt) return 'released';
    if (suspendedAt) return 'suspended';
    if (this.#isInOrder) return 'active';
    return verifiedAt && this.#hasWorked ? 'attention' : 'pending';
  }

  /** What follows while the proof is missing; undefined until the owner is to be told. */
  get deadlines(): DomainDeadlines | undefined {
    const { failingSince, noticedAt, suspendedAt } = this.facts;
    if (!failingSince || !noticedAt) return undefined;
    const after = (ms: number) => new Date(failingSince.getTime() + ms);
    return { suspension: suspendedAt ? undefined : after(SUSPENDED_AFTER_MS), release: after(RELEASED_AFTER_MS) };
  }

  /** Whether the name serves its app: while the proof fails, until the claim is suspended. */
  get isServed(): boolean {
    const { releasedAt, suspendedAt, verifiedAt } = this.facts;
    return verifiedAt !== undefined && !suspendedAt && !releasedAt;
  }

  /** Whether a certificate may be ordered or renewed. */
  get mayHaveCertificate(): boolean {
    return this.isServed && this.needsCertificate;
  }

  /**
   * Applies the result of a check.
   * @param random from 0 to below 1.
   */
  applyFinding({ proof, routing }: DomainFinding, now: Date, random: number): DomainClaimChanges {
    const changes: DomainClaimChanges = { ...this.#applyProof(proof, now), checkedAt: now };
    const next = new DomainClaim(
      { ...this.facts, ...changes, routing: routing === 'unknown' ? this.facts.routing : routing },
      this.needsCertificate,
    );
    if (next.facts.releasedAt) return { ...changes, nextCheckAt: undefined };
    return { ...changes, routing: next.facts.routing, nextCheckAt: next.#nextCheck(now, random) };
  }

  /** Ends the claim: its owner removes it, or another organization proves that it owns the name. */
  release(now: Date): DomainClaimChanges {
    return this.facts.releasedAt ? {} : { releasedAt: now, nextCheckAt: undefined, isPrimary: false };
  }

  #applyProof(proof: OwnershipProof, now: Date): DomainClaimChanges {
    const { verifiedAt } = this.facts;
    if (proof === 'present') {
      return { verifiedAt: verifiedAt ?? now, failingSince: undefined, noticedAt: undefined, suspendedAt: undefined };
    }
    if (!verifiedAt) return this.#isExpired(now) ? this.release(now) : {};
    return proof === 'absent' ? this.#fail(now) : this.#pauseClock(now);
  }

  #fail(now: Date): DomainClaimChanges {
    const { failingSince = now, noticedAt, suspendedAt } = this.facts;
    const failedMs = now.getTime() - failingSince.getTime();
    if (failedMs >= RELEASED_AFTER_MS) return { failingSince, ...this.release(now) };
    return {
      failingSince,
      noticedAt: noticedAt ?? (failedMs >= NOTICE_AFTER_MS ? now : undefined),
      suspendedAt: suspendedAt ?? (failedMs >= SUSPENDED_AFTER_MS ? now : undefined),
    };
  }

  /** Moves the start of the failure by the time in which no server answered. */
  #pauseClock(now: Date): DomainClaimChanges {
    const { failingSince, checkedAt } = this.facts;
    if (!failingSince) return {};
    const unknownMs = now.getTime() - (checkedAt ?? failingSince).getTime();
    return { failingSince: new Date(failingSince.getTime() + Math.max(unknownMs, 0)) };
  }

  #isExpired(now: Date): boolean {
    return now.getTime() - this.facts.createdAt.getTime() >= PENDING_LIFETIME_MS;
  }

  get #isInOrder(): boolean {
    const { certificate, routing } = this.facts;
    const hasCertificate = !this.needsCertificate || certificate === 'active' || certificate === 'renewing';
    return this.ownership === 'verified' && routing === 'here' && hasCertificate;
  }

  /** Whether it was set up completely before: then a fault is news. */
  get #hasWorked(): boolean {
    const { certificate, failingSince } = this.facts;
    return (
      failingSince !== undefined || (certificate !== 'none' && certificate !== 'ordering') || !this.needsCertificate
    );
  }

  #nextCheck(now: Date, random: number): Date {
    const { createdAt, verifiedAt, failingSince } = this.facts;
    const claim = { createdAt, verifiedAt, troubleSince: failingSince, isSettled: this.#isInOrder };
    return new Date(now.getTime() + checkDelay(claim, now, random));
  }
}
