import type { Domain, DomainKind, DomainList, DomainPricesUsd } from '@homeport/apps/contracts';
import type { Member } from '@homeport/identity/contracts';
import { DomainError } from '@homeport/kernel';
import type { AppsUnitOfWork } from '../../shared/application/apps-unit-of-work.port';
import { DomainNotFound } from '../domain/domains.errors';
import type { DomainChecker } from './domain-checker';
import type { DomainPresenter } from './domain-presenter';
import type { DomainPrices } from './domain-prices.port';

/** A claim that was checked this recently is not checked again: DNS servers are not ours to press. */
const MIN_CHECK_INTERVAL_MS = 5_000;

export interface DomainCatalogDependencies {
  readonly unitOfWork: AppsUnitOfWork;
  readonly checker: Pick<DomainChecker, 'check'>;
  readonly presenter: DomainPresenter;
  readonly prices: DomainPrices;
  /** Whether hosts below a base domain can be served. */
  readonly offersBaseDomains: boolean;
  readonly now?: () => Date;
}

/** Lists and checks the domains of an organization. */
export class DomainCatalog {
  /** The running checks, by organization and id. */
  readonly #checks = new Map<string, Promise<void>>();

  constructor(private readonly dependencies: DomainCatalogDependencies) {}

  /** Oldest first. @param appId only those of this app. */
  async list({ organization }: Member, appId?: string): Promise<DomainList> {
    const { offersBaseDomains, presenter, unitOfWork } = this.dependencies;
    const [claims, prices_usd] = await Promise.all([
      unitOfWork.run(({ domainClaims }) => domainClaims.list(organization, appId)),
      this.#pricesOf(organization),
    ]);
    const offered_kinds: DomainKind[] = offersBaseDomains ? ['hostname', 'base'] : ['hostname'];
    return { items: claims.map((claim) => presenter.present(claim)), prices_usd, offered_kinds };
  }

  /** @throws {DomainNotFound} */
  async get(member: Member, id: string): Promise<Domain> {
    return this.dependencies.presenter.present(await this.#find(member, id));
  }

  /** Looks at the records now, unless they were looked at in the last 5 seconds. @throws {DomainNotFound} */
  async check(member: Member, id: string): Promise<Domain> {
    const key = `${member.organization} ${id}`;
    // Calls at the same time wait for one look, which would otherwise be one for each of them.
    const check = this.#checks.get(key) ?? this.#check(member, id).finally(() => this.#checks.delete(key));
    this.#checks.set(key, check);
    await check;
    return this.get(member, id);
  }

  async #check(member: Member, id: string): Promise<void> {
    const claim = await this.#find(member, id);
    const now = this.dependencies.now?.() ?? new Date();
    const age = claim.checkedAt ? now.getTime() - claim.checkedAt.getTime() : Infinity;
    if (age >= MIN_CHECK_INTERVAL_MS) await this.dependencies.checker.check(claim);
  }

  /** The domains are worth showing without their prices. */
  async #pricesOf(organization: string): Promise<DomainPricesUsd | null> {
    const { prices } = this.dependencies;
    try {
      const [hostname, base] = await Promise.all([
        prices.priceOf(organization, 'hostname'),
        prices.priceOf(organization, 'base'),
      ]);
      return { hostname: hostname.usd, base: base.usd };
    } catch (error) {
      if (error instanceof DomainError && error.kind === 'unavailable') return null;
      throw error;
    }
  }

  async #find({ organization }: Member, id: string) {
    const claim = await this.dependencies.unitOfWork.run(({ domainClaims }) => domainClaims.find(organization, id));
    if (!claim) throw new DomainNotFound();
    return claim;
  }
}
