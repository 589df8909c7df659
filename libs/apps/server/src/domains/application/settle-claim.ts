import type { AppsRepositories } from '../../shared/application/apps-unit-of-work.port';
import type { DomainClaim } from '../domain/domain-claim';

/**
 * Applies the consequences of a changed claim: the period in which it is charged opens when it becomes active, and
 * closes at suspension and release. No name redirects to one that its organization has lost.
 */
export async function settleClaim(
  { domainClaims, domainPeriods }: AppsRepositories,
  { facts, status }: DomainClaim,
  now: Date,
): Promise<void> {
  if (status === 'active') await domainPeriods.open(facts, now);
  if (status === 'suspended' || status === 'released') await domainPeriods.close(facts.id, now);
  if (status === 'released') await domainClaims.endRedirectsTo(facts.organization, facts.name);
}
