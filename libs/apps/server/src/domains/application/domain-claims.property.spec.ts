import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { suiteSize } from '@homeport/platform/server/testing';
import { InMemoryAppsUnitOfWork } from '../../shared/adapters/memory/in-memory-apps-unit-of-work';
import { InMemoryApps } from '../../shared/adapters/memory/in-memory-apps';
import { HostnamePolicy } from '../../shared/domain/hostname-policy';
import { memberOf } from '../../testing/app-fixture';
import { InMemoryDomainResolver } from '../adapters/memory/in-memory-domain-resolver';
import { DomainClaim } from '../domain/domain-claim';
import { isAtOrBelow } from '../domain/domain-name';
import { DomainRules } from '../domain/domain-rules';
import { DomainRegistration } from './domain-registration';
import { DomainChecker } from './domain-checker';
import type { DomainClaimRecord } from './domain-claim-repository.port';
import { DomainInspector } from './domain-inspector';
import { DomainPresenter } from './domain-presenter';
import { EditDomain } from './edit-domain';

const ORGANIZATIONS = ['northwind', 'globex', 'initech'] as const;
const NAMES = ['acme.test', 'shop.acme.test', 'a.shop.acme.test'] as const;
const HOUR_MS = 3_600_000;

type Organization = (typeof ORGANIZATIONS)[number];
type Name = (typeof NAMES)[number];
type Step =
  | {
      readonly kind: 'add' | 'publish' | 'withdraw' | 'remove';
      readonly organization: Organization;
      readonly name: Name;
    }
  | { readonly kind: 'check'; readonly width: number }
  | { readonly kind: 'wait'; readonly hours: number }
  | { readonly kind: 'silence'; readonly servers: number };

/** Three organizations, the name servers of the world, and a clock. */
class World {
  readonly #store = new InMemoryApps();
  readonly #resolver = new InMemoryDomainResolver();
  readonly #published = new Map<Name, Set<string>>();
  /** Claims whose proof was published at some time. */
  readonly #everProved = new Set<string>();
  #now = new Date('2026-11-24T00:00:00Z');
  readonly #checker: DomainChecker;
  readonly #add: DomainRegistration;
  readonly #edit: EditDomain;

  constructor() {
    const unitOfWork = new InMemoryAppsUnitOfWork(this.#store);
    const inspector = new DomainInspector(this.#resolver, { cdnHostname: 'edge.test', challengeZone: undefined });
    const shared = { unitOfWork, inspector, needsCertificate: false, now: () => this.#now, random: () => 0.5 };
    const presenter = new DomainPresenter(false);
    const hostnames = new HostnamePolicy({ domain: 'apps.test', cdnHostname: 'edge.test', edgePort: 80, reserved: [] });
    this.#checker = new DomainChecker(shared);
    const prices = { priceOf: async () => ({ usd: 10, cardVersion: '1' }) };
    const rules = new DomainRules(['apps.test']);
    this.#add = new DomainRegistration({ ...shared, presenter, prices, rules, scheduleCheck: async () => undefined });
    this.#edit = new EditDomain({ ...shared, presenter, hostnames });
  }

  async run(step: Step): Promise<void> {
    if (step.kind === 'wait') this.#now = new Date(this.#now.getTime() + step.hours * HOUR_MS);
    else if (step.kind === 'silence') this.#silence(step.servers);
    else if (step.kind === 'check') await this.#check(step.width);
    else if (step.kind === 'add') await this.#addDomain(step.organization, step.name);
    else if (step.kind === 'remove') await this.#remove(step.organization, step.name);
    else if (step.kind === 'withdraw') this.#publish(step.organization, step.name, false);
    else await this.#addAndPublish(step.organization, step.name);
  }

  assertOneOwner(): void {
    const verified = this.#claims().filter(({ verifiedAt }) => verifiedAt);
    for (const one of verified) {
      expect(this.#everProved).toContain(one.token);
      for (const other of verified) {
        if (isAtOrBelow(one.name, other.name)) expect(one.organization).toBe(other.organization);
      }
    }
    for (const name of NAMES) {
      const served = this.#claims().filter(
        (claim) => isAtOrBelow(name, claim.name) && new DomainClaim(claim, false).isServed,
      );
      expect(new Set(served.map(({ organization }) => organization)).size).toBeLessThanOrEqual(1);
    }
    // A name that is not served is not charged.
    for (const { claimId } of [...this.#store.domainPeriods.values()].filter(({ to }) => !to)) {
      expect(this.#store.domainClaims.get(claimId)).toMatchObject({ releasedAt: undefined, suspendedAt: undefined });
    }
  }

  async #addDomain(organization: Organization, name: Name): Promise<void> {
    const domain = { kind: 'base', name, appId: undefined, acceptPriceUsd: 10 } as const;
    await this.#add.execute(memberOf(organization), domain).catch((error: { readonly code?: string }) => {
      expect(['apps.domain-taken', 'apps.domain-covered']).toContain(error.code);
    });
  }

  /** What a person does who owns the DNS of the name. */
  async #addAndPublish(organization: Organization, name: Name): Promise<void> {
    if (!this.#find(organization, name)) await this.#addDomain(organization, name);
    this.#publish(organization, name, true);
  }

  async #remove(organization: Organization, name: Name): Promise<void> {
    const claim = this.#find(organization, name);
    if (claim) await this.#edit.remove(memberOf(organization), claim.id);
  }

  /** Checks claims at once, as several instances do. */
  async #check(width: number): Promise<void> {
    await Promise.all(
      this.#claims()
        .slice(0, width)
        .map((claim) => this.#checker.check(claim)),
    );
  }

  #publish(organization: Organization, name: Name, isPublished: boolean): void {
    const token = this.#find(organization, name)?.token;
    if (token === undefined) return;
    const values = this.#published.get(name) ?? new Set();
    if (isPublished) values.add(`homeport-domain=${token}`);
    else values.delete(`homeport-domain=${token}`);
    if (isPublished) this.#everProved.add(token);
    this.#published.set(name, values);
    this.#resolver.set(`_homeport.${name}`, 'TXT', [...values]);
    this.#resolver.set(`*.${name}`, 'CNAME', ['edge.test']);
  }

  #silence(count: number): void {
    this.#resolver.silent.clear();
    for (const server of this.#resolver.servers.slice(0, count)) this.#resolver.silent.add(server);
  }

  #claims(): DomainClaimRecord[] {
    return [...this.#store.domainClaims.values()].filter(({ releasedAt }) => !releasedAt);
  }

  #find(organization: Organization, name: Name): DomainClaimRecord | undefined {
    return this.#claims().find((claim) => claim.organization === organization && claim.name === name);
  }
}

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constantFrom('add', 'publish', 'publish', 'publish', 'withdraw', 'withdraw', 'remove'),
      organization: fc.constantFrom(...ORGANIZATIONS),
      name: fc.constantFrom(...NAMES),
    }),
  },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('check'), width: fc.integer({ min: 1, max: 15 }) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('wait'), hours: fc.constantFrom(1, 24, 72, 168, 721) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('silence'), servers: fc.integer({ min: 0, max: 2 }) }) },
) as fc.Arbitrary<Step>;

describe('random claims, proofs, removals and clock jumps of three organizations', () => {
  it('never give a name two owners, nor serve an organization on a name of another', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 120 }), async (steps) => {
        const world = new World();
        for (const each of steps) {
          await world.run(each);
          world.assertOneOwner();
        }
      }),
      { numRuns: suiteSize(150, 5_000) },
    );
  });
});
