import type { AppDomainRecord } from '../../registry/domain/app-record';
import type { DomainClaimFacts } from './domain-claim';

/** The domains that show an app: verified ones that lead here, base domains of the organization included. */
export function appDomainsOf(
  { id, organization }: { readonly id: string; readonly organization: string },
  claims: Iterable<DomainClaimFacts>,
): readonly AppDomainRecord[] {
  return [...claims]
    .filter((claim) => claim.organization === organization && (claim.kind === 'base' || claim.appId === id))
    .filter(({ verifiedAt, suspendedAt, releasedAt }) => verifiedAt && !suspendedAt && !releasedAt)
    .filter(({ routing, redirectTo }) => routing === 'here' && redirectTo === undefined)
    .map(({ kind, name, isPrimary }) => ({ kind, name, isPrimary }));
}
