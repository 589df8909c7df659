import type { DomainClaimFacts, OwnershipProof } from './domain-claim';
import { isAtOrBelow } from './domain-name';
import { DomainCovered, DomainTaken } from './domains.errors';
import { ownershipRecord } from './required-records';

type Claim = Pick<DomainClaimFacts, 'organization' | 'name'>;

/** The verified claims of other organizations at, above and below a name. */
export function rivalsOf(claim: Claim, related: readonly DomainClaimFacts[]): readonly DomainClaimFacts[] {
  return related.filter(
    (other) =>
      other.organization !== claim.organization &&
      other.verifiedAt !== undefined &&
      (isAtOrBelow(other.name, claim.name) || isAtOrBelow(claim.name, other.name)),
  );
}

/**
 * Whether a rival has lost its name to an organization that proves to own it: its own proof is missing. The owner of a
 * name below does not take the name above from an organization that still serves it.
 * @param proof of the rival.
 */
export function yieldsTo(claim: Claim, rival: DomainClaimFacts, proof: OwnershipProof | undefined): boolean {
  if (proof !== 'absent') return false;
  return isAtOrBelow(rival.name, claim.name) || rival.suspendedAt !== undefined;
}

/** The error for a name that a rival keeps. */
export function rivalError({ name }: Claim, rival: Claim): DomainTaken | DomainCovered {
  return rival.name === name ? DomainTaken.byAnother(name) : new DomainCovered(name, rival.name);
}

/** The hint at the ownership record of a claim that proves a name which a rival keeps. */
export function rivalHint({ name }: Claim, rival: Pick<DomainClaimFacts, 'name' | 'token'>): string {
  const { name: place, value } = ownershipRecord(rival);
  const covers = rival.name === name ? '' : `, which covers "${name}"`;
  return `Another organization has verified "${rival.name}"${covers}. Remove its TXT record at "${place}": ${value}`;
}
