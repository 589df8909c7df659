import type { DomainRecord } from '@homeport/apps/contracts';
import type { InMemoryApps } from '../../../shared/adapters/memory/in-memory-apps';
import {
  type ClaimIdentity,
  DomainClaimRepository,
  type DomainClaimRecord,
} from '../../application/domain-claim-repository.port';
import type { DomainClaimChanges, DomainClaimFacts } from '../../domain/domain-claim';
import type { DomainName } from '../../domain/domain-name';
import { DomainTaken } from '../../domain/domains.errors';
import { rivalsOf } from '../../domain/rivals';

/** The claims in memory, for tests. */
export class InMemoryDomainClaimRepository extends DomainClaimRepository {
  constructor(private readonly store: InMemoryApps) {
    super();
  }

  async add(claim: DomainClaimFacts, records: readonly DomainRecord[]): Promise<void> {
    if (this.#of(claim.organization).some(({ name }) => name === claim.name)) throw DomainTaken.byOwn(claim.name);
    this.#store({ ...claim, records, certificateExpiresAt: undefined });
  }

  async find(organization: string, id: string): Promise<DomainClaimRecord | undefined> {
    return this.#of(organization).find((claim) => claim.id === id);
  }

  async list(organization: string, appId?: string): Promise<readonly DomainClaimRecord[]> {
    return this.#of(organization).filter((claim) => appId === undefined || claim.appId === appId);
  }

  async findByName(organization: string, name: DomainName): Promise<DomainClaimRecord | undefined> {
    return this.#of(organization).find((claim) => claim.name === name);
  }

  async countPending(organization: string): Promise<number> {
    return this.#of(organization).filter(({ verifiedAt }) => !verifiedAt).length;
  }

  async lockRelated(claim: ClaimIdentity): Promise<readonly DomainClaimFacts[]> {
    const all = this.#unreleased();
    return [...all.filter(({ id }) => id === claim.id), ...rivalsOf(claim, all)];
  }

  /** The units of work in memory run one after the other. */
  async lockOrganization(_organization: string): Promise<void> {
    return Promise.resolve();
  }

  async endRedirectsTo(organization: string, name: DomainName): Promise<void> {
    for (const claim of this.#of(organization)) {
      if (claim.redirectTo === name) this.#store({ ...claim, redirectTo: undefined });
    }
  }

  async change(id: string, changes: DomainClaimChanges, records?: readonly DomainRecord[]): Promise<void> {
    const claim = this.store.domainClaims.get(id);
    if (claim) this.#store({ ...claim, ...changes, ...(records && { records }) });
  }

  async acquireDue(leaseMs: number, limit: number): Promise<readonly DomainClaimFacts[]> {
    const due = this.#scheduled().filter(({ nextCheckAt }) => nextCheckAt.getTime() <= Date.now());
    const leased = due.slice(0, limit).map((claim) => ({ ...claim, nextCheckAt: new Date(Date.now() + leaseMs) }));
    leased.forEach((claim) => this.#store(claim));
    return leased;
  }

  async msUntilDue(): Promise<number | undefined> {
    const [first] = this.#scheduled();
    return first && Math.max(0, first.nextCheckAt.getTime() - Date.now());
  }

  /** With a next check, the earliest first. */
  #scheduled() {
    return [...this.store.domainClaims.values()]
      .flatMap((claim) => (claim.nextCheckAt ? [{ ...claim, nextCheckAt: claim.nextCheckAt }] : []))
      .toSorted((one, other) => one.nextCheckAt.getTime() - other.nextCheckAt.getTime());
  }

  #unreleased(): DomainClaimRecord[] {
    return [...this.store.domainClaims.values()].filter(({ releasedAt }) => !releasedAt);
  }

  #of(organization: string): DomainClaimRecord[] {
    return this.#unreleased().filter((claim) => claim.organization === organization);
  }

  /** Keeps the constraint of the database: one owner for each name. */
  #store(claim: DomainClaimRecord): void {
    const isOwner = ({ verifiedAt, releasedAt }: DomainClaimFacts) => verifiedAt && !releasedAt;
    const rival = this.#unreleased().find(({ id, name }) => name === claim.name && id !== claim.id);
    if (isOwner(claim) && rival && isOwner(rival)) throw new Error('domain_claims_owner_key');
    this.store.domainClaims.set(claim.id, claim);
  }
}
