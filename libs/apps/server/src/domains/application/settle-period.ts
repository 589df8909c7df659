import type { AppsRepositories } from '../../shared/application/apps-unit-of-work.port';
import type { DomainClaim } from '../domain/domain-claim';

/** Opens the period in which a claim is charged when it becomes active, and closes it at suspension and release. */
export async function settlePeriod({ domainPeriods }: AppsRepositories, claim: DomainClaim, now: Date): Promise<void> {
  if (claim.status === 'active') await domainPeriods.open(claim.facts, now);
  if (claim.status === 'suspended' || claim.status === 'released') await domainPeriods.close(claim.facts.id, now);
}
