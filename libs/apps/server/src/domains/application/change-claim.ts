import type { DomainRecord } from '@homeport/apps/contracts';
import type { AppsRepositories } from '../../shared/application/apps-unit-of-work.port';
import { DomainClaim, type DomainClaimChanges, type DomainClaimFacts } from '../domain/domain-claim';

export interface ClaimChange {
  readonly changes: DomainClaimChanges;
  /** What the last check saw. */
  readonly records?: readonly DomainRecord[];
  /** Whether this installation gets certificates. */
  readonly needsCertificate: boolean;
  readonly now: Date;
}

/**
 * Changes a claim and applies the consequences: the period in which it is charged opens when it becomes active, and
 * closes at suspension and release. No name redirects to one that its organization has lost.
 * @returns the changed claim.
 */
export async function changeClaim(
  { domainClaims, domainPeriods }: AppsRepositories,
  claim: DomainClaimFacts,
  { changes, records, needsCertificate, now }: ClaimChange,
): Promise<DomainClaim> {
  // Otherwise a member could redirect to the name meanwhile, and visitors would follow to its next owner.
  if (changes.releasedAt) await domainClaims.lockOrganization(claim.organization);
  await domainClaims.change(claim.id, changes, records);
  const changed = new DomainClaim({ ...claim, ...changes }, needsCertificate);
  const { facts, status } = changed;
  if (status === 'active') await domainPeriods.open(facts, now);
  if (status === 'suspended' || status === 'released') await domainPeriods.close(facts.id, now);
  if (status === 'released') await domainClaims.endRedirectsTo(facts.organization, facts.name);
  return changed;
}
