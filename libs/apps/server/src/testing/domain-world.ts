import { expect } from '@jest/globals';
import type { DomainKind } from '@homeport/apps/contracts';
import fc from 'fast-check';
import { InMemoryDomainResolver } from '../domains/adapters/memory/in-memory-domain-resolver';
import { DomainChecker } from '../domains/application/domain-checker';
import type { DomainClaimRecord } from '../domains/application/domain-claim-repository.port';
import { DomainInspector } from '../domains/application/domain-inspector';
import { DomainPresenter } from '../domains/application/domain-presenter';
import { DomainRegistration } from '../domains/application/domain-registration';
import { EditDomain } from '../domains/application/edit-domain';
import { DomainClaim } from '../domains/domain/domain-claim';
import { isAtOrBelow } from '../domains/domain/domain-name';
import { DomainRules } from '../domains/domain/domain-rules';
import type { AppsUnitOfWork } from '../shared/application/apps-unit-of-work.port';
import { HostnamePolicy } from '../shared/domain/hostname-policy';
import { memberOf } from './app-fixture';

const HOUR_MS = 3_600_000;
const PRICE_USD = 10;
/** Names at three depths. */
const PREFIXES = ['', 'shop.', 'a.shop.'] as const;

/** An organization with one app. */
export interface DomainParty {
  readonly organization: string;
  readonly appId: string;
}

/** Parties and names by their positions. */
export type DomainStep =
  | {
      readonly kind: 'add' | 'publish' | 'withdraw' | 'remove';
      readonly party: number;
      readonly name: number;
      readonly domain: DomainKind;
    }
  | { readonly kind: 'check'; readonly width: number }
  | { readonly kind: 'wait'; readonly hours: number }
  | { readonly kind: 'silence'; readonly servers: number };

export interface DomainWorldOptions {
  readonly unitOfWork: AppsUnitOfWork;
  readonly parties: readonly DomainParty[];
  /** The registered domain that the parties claim. */
  readonly domain: string;
}

/** Random claims, proofs, removals, outages and jumps of the clock of three organizations. */
export const domainSteps = (length: { readonly minLength: number; readonly maxLength: number }) =>
  fc.array(
    fc.oneof(
      {
        weight: 6,
        arbitrary: fc.record({
          kind: fc.constantFrom('add', 'publish', 'publish', 'publish', 'withdraw', 'withdraw', 'remove'),
          party: fc.nat({ max: 2 }),
          name: fc.nat({ max: PREFIXES.length - 1 }),
          domain: fc.constantFrom('base', 'hostname'),
        }),
      },
      { weight: 4, arbitrary: fc.record({ kind: fc.constant('check'), width: fc.integer({ min: 1, max: 15 }) }) },
      { weight: 1, arbitrary: fc.record({ kind: fc.constant('wait'), hours: fc.constantFrom(1, 24, 72, 168, 721) }) },
      { weight: 1, arbitrary: fc.record({ kind: fc.constant('silence'), servers: fc.nat({ max: 2 }) }) },
    ) as fc.Arbitrary<DomainStep>,
    length,
  );

/** Organizations, the name servers of the world, and a clock. */
export class DomainWorld {
  readonly names: readonly string[];
  readonly #resolver = new InMemoryDomainResolver();
  readonly #published = new Map<string, Set<string>>();
  /** Values of claims that were published at some time. */
  readonly #everProved = new Set<string>();
  #now = new Date('2026-11-24T00:00:00Z');
  readonly #checker: DomainChecker;
  readonly #add: DomainRegistration;
  readonly #edit: EditDomain;

  constructor(private readonly options: DomainWorldOptions) {
    const { domain, unitOfWork } = options;
    this.names = PREFIXES.map((prefix) => `${prefix}${domain}`);
    const inspector = new DomainInspector(this.#resolver, { cdnHostname: 'edge.test', challengeZone: undefined });
    const shared = { unitOfWork, inspector, needsCertificate: false, now: () => this.#now, random: () => 0.5 };
    const presenter = new DomainPresenter(false);
    const hostnames = new HostnamePolicy({ domain: 'apps.test', cdnHostname: 'edge.test', edgePort: 80, reserved: [] });
    this.#checker = new DomainChecker(shared);
    const prices = { priceOf: async () => ({ usd: PRICE_USD, cardVersion: '1' }) };
    const rules = new DomainRules(['apps.test']);
    this.#add = new DomainRegistration({
      ...shared,
      presenter,
      prices,
      rules,
      offersBaseDomains: true,
      scheduleCheck: async () => undefined,
    });
    this.#edit = new EditDomain({ ...shared, presenter, hostnames });
  }

  async run(step: DomainStep): Promise<void> {
    if (step.kind === 'wait') this.#now = new Date(this.#now.getTime() + step.hours * HOUR_MS);
    else if (step.kind === 'silence') this.#silence(step.servers);
    else if (step.kind === 'check') await this.#check(step.width);
    else await this.#act(step);
  }

  /** The unreleased claims of all organizations. */
  async claims(): Promise<readonly DomainClaimRecord[]> {
    const { parties, unitOfWork } = this.options;
    return unitOfWork.run(async ({ domainClaims }) => {
      const claims = [];
      for (const { organization } of parties) claims.push(...(await domainClaims.list(organization)));
      return claims;
    });
  }

  /** @returns the claims whose names are served. */
  async assertOneOwner(): Promise<readonly DomainClaimRecord[]> {
    const claims = await this.claims();
    const verified = claims.filter(({ verifiedAt }) => verifiedAt);
    for (const one of verified) {
      expect(this.#everProved).toContain(one.token);
      for (const other of verified) {
        if (isAtOrBelow(one.name, other.name)) expect(one.organization).toBe(other.organization);
      }
    }
    return claims.filter((claim) => new DomainClaim(claim, false).isServed);
  }

  async #act({ kind, party: index, name: at, domain }: Extract<DomainStep, { readonly party: number }>): Promise<void> {
    const party = this.options.parties[index] as DomainParty;
    const name = this.names[at] as string;
    const claim = await this.#find(party, name);
    if (kind === 'remove') {
      if (claim) await this.#edit.remove(memberOf(party.organization), claim.id);
    } else if (kind === 'withdraw') {
      if (claim) this.#publish(name, claim.token, false);
    } else {
      if (!claim) await this.#addDomain(party, name, domain);
      const added = kind === 'publish' ? await this.#find(party, name) : undefined;
      if (added) this.#publish(name, added.token, true);
    }
  }

  async #addDomain({ organization, appId }: DomainParty, name: string, kind: DomainKind): Promise<void> {
    const domain = { kind, name, appId: kind === 'base' ? undefined : appId, acceptPriceUsd: PRICE_USD };
    await this.#add.execute(memberOf(organization), domain).catch((error: { readonly code?: string }) => {
      expect(['apps.domain-taken', 'apps.domain-covered']).toContain(error.code);
    });
  }

  /** Checks claims at once, as several instances do. */
  async #check(width: number): Promise<void> {
    const claims = await this.claims();
    await Promise.all(claims.slice(0, width).map((claim) => this.#checker.check(claim)));
  }

  #publish(name: string, token: string, isPublished: boolean): void {
    const values = this.#published.get(name) ?? new Set();
    if (isPublished) values.add(`homeport-domain=${token}`);
    else values.delete(`homeport-domain=${token}`);
    if (isPublished) this.#everProved.add(token);
    this.#published.set(name, values);
    this.#resolver.set(`_homeport.${name}`, 'TXT', [...values]);
    for (const each of [name, `*.${name}`]) this.#resolver.set(each, 'CNAME', ['edge.test']);
  }

  #silence(count: number): void {
    this.#resolver.silent.clear();
    for (const server of this.#resolver.servers.slice(0, count)) this.#resolver.silent.add(server);
  }

  async #find({ organization }: DomainParty, name: string): Promise<DomainClaimRecord | undefined> {
    return (await this.claims()).find((claim) => claim.organization === organization && claim.name === name);
  }
}
