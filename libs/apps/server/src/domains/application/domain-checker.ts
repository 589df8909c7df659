import type { AppsRepositories, AppsUnitOfWork } from '../../shared/application/apps-unit-of-work.port';
import { DomainClaim, type DomainClaimFacts, type OwnershipProof } from '../domain/domain-claim';
import { rivalHint, rivalsOf, yieldsTo } from '../domain/rivals';
import { changeClaim } from './change-claim';
import { checkEvents, systemDomainEvent } from './domain-event';
import type { DomainInspector, Inspection } from './domain-inspector';

export interface DomainCheckerDependencies {
  readonly unitOfWork: AppsUnitOfWork;
  readonly inspector: DomainInspector;
  /** Whether this installation gets certificates. */
  readonly needsCertificate: boolean;
  /** Called after a check of a claim that has no certificate and may have one. */
  readonly requestCertificate?: () => Promise<void>;
  readonly now?: () => Date;
  /** From 0 to below 1. */
  readonly random?: () => number;
}

/** What a proved claim does to the claims of other organizations. */
interface Takeover {
  /** They lose their names. */
  readonly losers: readonly DomainClaimFacts[];
  /** It keeps its name, so that nothing changes. */
  readonly blocker: DomainClaimFacts | undefined;
}

const NO_TAKEOVER: Takeover = { losers: [], blocker: undefined };

/** Checks the records of claims and applies what they prove. Repeating is safe, also on several instances at once. */
export class DomainChecker {
  constructor(private readonly dependencies: DomainCheckerDependencies) {}

  /** @throws {DatabaseUnavailable} */
  async check(claim: DomainClaimFacts): Promise<void> {
    const inspection = await this.dependencies.inspector.inspect(claim);
    const proofs = claim.verifiedAt ? undefined : await this.#proofsOfRivals(claim, inspection);
    const after = await this.dependencies.unitOfWork.run(async (repositories) => {
      const related = await repositories.domainClaims.lockRelated(claim);
      const current = related.find(({ id }) => id === claim.id);
      if (!current) return undefined;
      const { losers, blocker } = current.verifiedAt ? NO_TAKEOVER : decideTakeover(current, related, proofs);
      // First, because a name has one owner at any time.
      for (const loser of losers) await this.#release(repositories, loser);
      return this.#apply(repositories, current, blocker ? blockedBy(blocker, current, inspection) : inspection);
    });
    const isWanted = after?.mayHaveCertificate && after.facts.certificate === 'none' && after.facts.routing === 'here';
    if (isWanted) await this.dependencies.requestCertificate?.();
  }

  async #proofsOfRivals(
    claim: DomainClaimFacts,
    { proof }: Inspection,
  ): Promise<ReadonlyMap<string, OwnershipProof> | undefined> {
    if (proof !== 'present') return undefined;
    const rivals = await this.dependencies.unitOfWork.run(async ({ domainClaims }) =>
      rivalsOf(claim, await domainClaims.lockRelated(claim)),
    );
    const proofs = await Promise.all(
      rivals.map(async (rival) => [rival.id, await this.dependencies.inspector.proofOf(rival)] as const),
    );
    return new Map(proofs);
  }

  async #apply(repositories: AppsRepositories, facts: DomainClaimFacts, inspection: Inspection): Promise<DomainClaim> {
    const { needsCertificate, random = Math.random } = this.dependencies;
    const now = this.#now();
    const changes = new DomainClaim(facts, needsCertificate).applyFinding(inspection, now, random());
    const outcome = { changes, records: inspection.records, needsCertificate, now };
    const after = await changeClaim(repositories, facts, outcome);
    for (const event of checkEvents(facts, after.facts)) await repositories.audit.record(event);
    return after;
  }

  /** The event does not say who has the name now: organizations do not learn of each other. */
  async #release(repositories: AppsRepositories, facts: DomainClaimFacts): Promise<void> {
    const { needsCertificate } = this.dependencies;
    const now = this.#now();
    const changes = new DomainClaim(facts, needsCertificate).release(now);
    await changeClaim(repositories, facts, { changes, needsCertificate, now });
    await repositories.audit.record(systemDomainEvent('apps.domain-taken-over', facts));
  }

  #now(): Date {
    return this.dependencies.now?.() ?? new Date();
  }
}

function decideTakeover(
  claim: DomainClaimFacts,
  related: readonly DomainClaimFacts[],
  proofs: ReadonlyMap<string, OwnershipProof> | undefined,
): Takeover {
  // Without proofs, the claim itself is not proved, so that nothing is taken over.
  if (proofs === undefined) return NO_TAKEOVER;
  const rivals = rivalsOf(claim, related);
  const blocker = rivals.find((rival) => !yieldsTo(claim, rival, proofs.get(rival.id)));
  return { losers: blocker ? [] : rivals, blocker };
}

/** A proof that another organization also has proves nothing. The hint names the record to remove. */
function blockedBy(blocker: DomainClaimFacts, claim: DomainClaimFacts, inspection: Inspection): Inspection {
  const hint = rivalHint(claim, blocker);
  const records = inspection.records.map((each) => (each.purpose === 'ownership' ? { ...each, hint } : each));
  return { ...inspection, proof: 'unknown', records };
}
