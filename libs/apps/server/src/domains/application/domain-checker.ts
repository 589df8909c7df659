import type { AppsRepositories, AppsUnitOfWork } from '../../shared/application/apps-unit-of-work.port';
import { DomainClaim, type DomainClaimFacts, type OwnershipProof } from '../domain/domain-claim';
import { registrableDomainOrName } from '../domain/domain-rules';
import { rivalsOf, yieldsTo } from '../domain/rivals';
import type { DomainInspector, Inspection } from './domain-inspector';
import { settlePeriod } from './settle-period';

export interface DomainCheckerDependencies {
  readonly unitOfWork: AppsUnitOfWork;
  readonly inspector: DomainInspector;
  /** Whether this installation gets certificates. */
  readonly needsCertificate: boolean;
  readonly now?: () => Date;
  /** From 0 to below 1. */
  readonly random?: () => number;
}

/** How a claim that has just been verified became so. */
interface Takeover {
  /** The claims of other organizations that lost their names. */
  readonly losers: readonly DomainClaimFacts[];
}

/** Checks the records of claims and applies what they prove. Repeating is safe, also on several instances at once. */
export class DomainChecker {
  constructor(private readonly dependencies: DomainCheckerDependencies) {}

  /** @throws {DatabaseUnavailable} */
  async check(claim: DomainClaimFacts): Promise<void> {
    const inspection = await this.dependencies.inspector.inspect(claim);
    const proofs = claim.verifiedAt ? undefined : await this.#proofsOfRivals(claim, inspection);
    await this.dependencies.unitOfWork.run(async (repositories) => {
      const related = await repositories.domainClaims.lockRegistrableDomain(registrableDomainOrName(claim.name));
      const current = related.find(({ id }) => id === claim.id);
      if (!current) return;
      const takeover = current.verifiedAt ? { losers: [] } : decideTakeover(current, related, proofs);
      // First, because a name has one owner at any time.
      for (const loser of takeover?.losers ?? []) await this.#release(repositories, loser);
      // A proof that another organization also has proves nothing.
      await this.#apply(repositories, current, takeover ? inspection : { ...inspection, proof: 'unknown' });
    });
  }

  async #proofsOfRivals(
    claim: DomainClaimFacts,
    { proof }: Inspection,
  ): Promise<ReadonlyMap<string, OwnershipProof> | undefined> {
    if (proof !== 'present') return undefined;
    const rivals = await this.dependencies.unitOfWork.run(async ({ domainClaims }) =>
      rivalsOf(claim, await domainClaims.lockRegistrableDomain(registrableDomainOrName(claim.name))),
    );
    const proofs = await Promise.all(
      rivals.map(async (rival) => [rival.id, await this.dependencies.inspector.proofOf(rival)] as const),
    );
    return new Map(proofs);
  }

  async #apply(repositories: AppsRepositories, facts: DomainClaimFacts, inspection: Inspection): Promise<void> {
    const { needsCertificate, random = Math.random } = this.dependencies;
    const changes = new DomainClaim(facts, needsCertificate).applyFinding(inspection, this.#now(), random());
    await repositories.domainClaims.change(facts.id, changes, inspection.records);
    const after = new DomainClaim({ ...facts, ...changes }, needsCertificate);
    await settlePeriod(repositories, after, this.#now());
  }

  async #release(repositories: AppsRepositories, facts: DomainClaimFacts): Promise<void> {
    const changes = new DomainClaim(facts, this.dependencies.needsCertificate).release(this.#now());
    await repositories.domainClaims.change(facts.id, changes);
    const after = new DomainClaim({ ...facts, ...changes }, this.dependencies.needsCertificate);
    await settlePeriod(repositories, after, this.#now());
  }

  #now(): Date {
    return this.dependencies.now?.() ?? new Date();
  }
}

/** @returns undefined when an organization keeps a name that is in the way. */
function decideTakeover(
  claim: DomainClaimFacts,
  related: readonly DomainClaimFacts[],
  proofs: ReadonlyMap<string, OwnershipProof> | undefined,
): Takeover | undefined {
  const rivals = rivalsOf(claim, related);
  // Without proofs, the claim itself is not proved, so that nothing is taken over.
  if (proofs === undefined) return { losers: [] };
  return rivals.every((rival) => yieldsTo(claim, rival, proofs.get(rival.id))) ? { losers: rivals } : undefined;
}
