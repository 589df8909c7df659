import { randomBytes, randomUUID } from 'node:crypto';
import type { Domain, DomainKind } from '@homeport/apps/contracts';
import type { Member } from '@homeport/identity/contracts';
import { InvalidRequest } from '@homeport/kernel';
import { AppNotFound } from '../../registry/domain/apps.errors';
import type { AppsRepositories, AppsUnitOfWork } from '../../shared/application/apps-unit-of-work.port';
import type { DomainClaimFacts } from '../domain/domain-claim';
import { type DomainName, parseDomainName } from '../domain/domain-name';
import type { DomainRules } from '../domain/domain-rules';
import { BaseDomainsUnavailable, DomainPriceChanged, DomainQuotaExceeded } from '../domain/domains.errors';
import { rivalError, rivalsOf, yieldsTo } from '../domain/rivals';
import { domainEvent } from './domain-event';
import type { DomainInspector } from './domain-inspector';
import type { DomainPresenter } from './domain-presenter';
import type { DomainPrice, DomainPrices } from './domain-prices.port';

/** A domain to add. */
export interface NewDomain {
  readonly kind: DomainKind;
  readonly name: string;
  readonly appId: string | undefined;
  /** USD a month. */
  readonly acceptPriceUsd: number;
}

export interface DomainRegistrationDependencies {
  readonly unitOfWork: AppsUnitOfWork;
  readonly rules: DomainRules;
  readonly inspector: DomainInspector;
  readonly prices: DomainPrices;
  readonly presenter: DomainPresenter;
  /** Whether hosts below a base domain can be served. */
  readonly offersBaseDomains: boolean;
  /** Starts a check soon. */
  readonly scheduleCheck: () => Promise<void>;
  readonly now?: () => Date;
}

/** Domains without a proof that an organization may have. They cost nothing, but their name servers are asked often. */
const MAX_PENDING = 100;
/** 128 bits, so that the value of another claim cannot be guessed. */
const TOKEN_BYTES = 16;

/** Adds a domain. It becomes the organization's when its DNS proves so. */
export class DomainRegistration {
  constructor(private readonly dependencies: DomainRegistrationDependencies) {}

  /**
   * @throws {DomainInvalid} @throws {BaseDomainsUnavailable} @throws {DomainPublicSuffix} @throws {DomainReserved}
   * @throws {DomainPriceChanged} @throws {DomainTaken} @throws {DomainCovered} @throws {DomainQuotaExceeded}
   * @throws {AppNotFound}
   */
  async execute(member: Member, domain: NewDomain): Promise<Domain> {
    const { inspector, offersBaseDomains, presenter, prices, rules, scheduleCheck, unitOfWork } = this.dependencies;
    const name = parseDomainName(domain.name);
    rules.assertAllowed(name);
    assertAppFits(domain);
    if (domain.kind === 'base' && !offersBaseDomains) throw new BaseDomainsUnavailable();
    const price = await prices.priceOf(member.organization, domain.kind);
    if (price.usd !== domain.acceptPriceUsd) throw new DomainPriceChanged(price.usd);
    const claim = this.#newClaim(member, { ...domain, name }, price);
    await this.#assertNoRival(claim);
    const records = await inspector.recordsToCreate(claim);
    const added = await unitOfWork.run(async (repositories) => {
      await repositories.domainClaims.lockOrganization(member.organization);
      const claimed = await adopt(repositories, claim);
      if (claimed) {
        await repositories.audit.record(domainEvent(member, 'apps.domain-changed', claimed));
        return claimed;
      }
      await assertApp(repositories, claim);
      if ((await repositories.domainClaims.countPending(member.organization)) >= MAX_PENDING) {
        throw new DomainQuotaExceeded(MAX_PENDING);
      }
      await repositories.domainClaims.add(claim, records);
      await repositories.audit.record(domainEvent(member, 'apps.domain-added', claim));
      return { ...claim, records, certificateExpiresAt: undefined };
    });
    await scheduleCheck();
    return presenter.present(added);
  }

  /** An organization that keeps publishing its proof keeps its name. */
  async #assertNoRival(claim: DomainClaimFacts): Promise<void> {
    const { inspector, unitOfWork } = this.dependencies;
    const rivals = await unitOfWork.run(async ({ domainClaims }) =>
      rivalsOf(claim, await domainClaims.lockRelated(claim)),
    );
    for (const rival of rivals) {
      if (!yieldsTo(claim, rival, await inspector.proofOf(rival))) throw rivalError(claim, rival);
    }
  }

  #newClaim(
    { organization }: Member,
    { kind, name, appId }: NewDomain & { readonly name: DomainName },
    { usd, cardVersion }: DomainPrice,
  ): DomainClaimFacts {
    const now = this.dependencies.now?.() ?? new Date();
    return {
      id: randomUUID(),
      organization,
      kind,
      name,
      // As PostgreSQL returns it.
      appId: appId?.toLowerCase(),
      token: randomBytes(TOKEN_BYTES).toString('hex'),
      createdAt: now,
      verifiedAt: undefined,
      failingSince: undefined,
      noticedAt: undefined,
      checkedAt: undefined,
      suspendedAt: undefined,
      releasedAt: undefined,
      routing: 'unknown',
      certificate: 'none',
      isPrimary: false,
      redirectTo: undefined,
      hsts: false,
      priceUsd: usd,
      cardVersion,
      nextCheckAt: now,
    };
  }
}

/** Gives a name whose app was deleted to another app of the organization. */
async function adopt({ apps, domainClaims }: AppsRepositories, { organization, kind, name, appId }: DomainClaimFacts) {
  if (kind !== 'hostname' || appId === undefined) return undefined;
  const own = await domainClaims.findByName(organization, name);
  if (!own || own.kind !== 'hostname' || own.appId !== undefined) return undefined;
  if (!(await apps.find(organization, appId))) throw new AppNotFound();
  // Its redirect may lead to the name of the deleted app, which another organization can register.
  const changes = { appId, isPrimary: false, redirectTo: undefined };
  await domainClaims.change(own.id, changes);
  return { ...own, ...changes };
}

async function assertApp({ apps }: AppsRepositories, { organization, appId }: DomainClaimFacts): Promise<void> {
  if (appId !== undefined && !(await apps.find(organization, appId))) throw new AppNotFound();
}

/** @throws {InvalidRequest} */
function assertAppFits({ kind, appId }: NewDomain): void {
  if (kind === 'hostname' && appId === undefined) {
    throw new InvalidRequest('The app is missing.', [{ field: 'app_id', reason: 'A host name needs an app.' }]);
  }
  if (kind === 'base' && appId !== undefined) {
    const reason = 'A base domain serves all apps. Leave the field out.';
    throw new InvalidRequest('A base domain has no app.', [{ field: 'app_id', reason }]);
  }
}
