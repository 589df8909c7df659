import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import type { DomainRecord } from '@homeport/apps/contracts';
import type { DomainClaimRepository } from '../domains/application/domain-claim-repository.port';
import type { DomainClaimFacts } from '../domains/domain/domain-claim';
import { type DomainName, parseDomainName } from '../domains/domain/domain-name';
import { DomainTaken } from '../domains/domain/domains.errors';
import type { AppsUnitOfWork } from '../shared/application/apps-unit-of-work.port';

const CREATED = new Date('2026-11-24T00:00:00Z');
const PAST = new Date('2020-01-01T00:00:00Z');
const RECORDS: DomainRecord[] = [
  { purpose: 'ownership', type: 'TXT', name: 'a', value: 'b', state: 'missing', seen: [], hint: null },
];

let count = 0;
/** A registrable domain that no other test uses. */
const freshDomain = (): DomainName => parseDomainName(`claims-${process.pid}-${count++}.com`);

export function domainClaim(changes: Partial<DomainClaimFacts> = {}): DomainClaimFacts {
  return {
    id: randomUUID(),
    organization: 'northwind',
    kind: 'hostname',
    name: freshDomain(),
    appId: undefined,
    token: 'f'.repeat(32),
    createdAt: CREATED,
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
    priceUsd: 12.5,
    cardVersion: '3',
    nextCheckAt: undefined,
    ...changes,
  };
}

/** The contract of every `DomainClaimRepository` adapter. */
export function domainClaimsContract(name: string, open: () => Pick<AppsUnitOfWork, 'run'>): void {
  const work = <T>(run: (claims: DomainClaimRepository) => Promise<T>) =>
    open().run(({ domainClaims }) => run(domainClaims));
  const add = async (changes?: Partial<DomainClaimFacts>) => {
    const claim = domainClaim(changes);
    await work((claims) => claims.add(claim, RECORDS));
    return claim;
  };

  describe(`${name} as a repository of domain claims`, () => {
    it('returns a claim to its organization only', async () => {
      const claim = await add();
      const stored = { ...claim, records: RECORDS, certificateExpiresAt: undefined };
      expect(await work((claims) => claims.find('northwind', claim.id))).toEqual(stored);
      expect(await work((claims) => claims.list('northwind'))).toContainEqual(stored);
      expect(await work((claims) => claims.find('globex', claim.id))).toBeUndefined();
      expect(await work((claims) => claims.find('northwind', 'no id'))).toBeUndefined();
      expect(await work((claims) => claims.list('globex'))).not.toContainEqual(stored);
      expect(await work((claims) => claims.list('northwind', randomUUID()))).toEqual([]);
    });

    it('stores one unreleased claim of an organization to a name', async () => {
      const { id, name: domain } = await add();
      await expect(add({ name: domain })).rejects.toBeInstanceOf(DomainTaken);
      await add({ name: domain, organization: 'globex' });
      await work((claims) => claims.change(id, { releasedAt: CREATED }));
      await add({ name: domain });
      expect(await work((claims) => claims.find('northwind', id))).toBeUndefined();
    });

    it('lets one organization verify a name, and keeps all changes of the rejected unit of work out', async () => {
      const owner = await add({ verifiedAt: CREATED });
      const rival = await add({ name: owner.name, organization: 'globex' });
      const verify = work(async (claims) => {
        await claims.change(rival.id, { routing: 'here' });
        await claims.change(rival.id, { verifiedAt: CREATED });
      });
      await expect(verify).rejects.toThrow('domain_claims_owner_key');
      expect(await work((claims) => claims.find('globex', rival.id))).toMatchObject({ routing: 'unknown' });
      await work((claims) => claims.change(owner.id, { releasedAt: CREATED }));
      await work((claims) => claims.change(rival.id, { verifiedAt: CREATED }));
      expect(await work((claims) => claims.find('globex', rival.id))).toMatchObject({ verifiedAt: CREATED });
    });

    it('sets and clears values, and replaces the records', async () => {
      const { id } = await add({ failingSince: CREATED, redirectTo: 'old.example', hsts: true });
      const found = () => work((claims) => claims.find('northwind', id));
      await work((claims) => claims.change(id, {}));
      await work((claims) => claims.change(id, { failingSince: undefined, checkedAt: CREATED }));
      expect(await found()).toMatchObject({
        checkedAt: CREATED,
        redirectTo: 'old.example',
        hsts: true,
        records: RECORDS,
      });
      expect((await found())?.failingSince).toBeUndefined();
      await work((claims) => claims.change(id, { redirectTo: undefined }, []));
      expect(await found()).toMatchObject({ records: [] });
      expect((await found())?.redirectTo).toBeUndefined();
    });

    it('returns a claim with the verified ones of other organizations at, above and below its name', async () => {
      const domain = freshDomain();
      const addAt = (prefix: string, changes: Partial<DomainClaimFacts>) =>
        add({ name: parseDomainName(`${prefix}${domain}`), organization: 'globex', verifiedAt: CREATED, ...changes });
      const own = await addAt('www.', { organization: 'northwind', verifiedAt: undefined });
      const rivals = [await addAt('', {}), await addAt('www.', {}), await addAt('a.b.www.', {})];
      await addAt('', { organization: 'northwind', verifiedAt: undefined });
      await addAt('xwww.', {});
      await addAt('other.', {});
      await addAt('c.www.', { verifiedAt: undefined });
      await addAt('d.www.', { releasedAt: CREATED });
      await addAt('e.www.', { organization: 'northwind' });
      const related = async (claim: DomainClaimFacts) =>
        (await work((claims) => claims.lockRelated(claim))).map(({ id }) => id).sort();
      expect(await related(own)).toEqual([own, ...rivals].map(({ id }) => id).sort());
      const unstored = domainClaim({ name: own.name });
      expect(await related(unstored)).toEqual(rivals.map(({ id }) => id).sort());
      await work((claims) => claims.change(own.id, { releasedAt: CREATED }));
      expect(await related(own)).toEqual(rivals.map(({ id }) => id).sort());
    });

    it('finds the claim of an organization to a name, and counts those without a proof', async () => {
      const organization = `pending-${randomUUID()}`;
      const claim = await add({ organization });
      await add({ organization });
      await add({ organization, verifiedAt: CREATED });
      expect(await work((claims) => claims.findByName(organization, claim.name))).toMatchObject({ id: claim.id });
      expect(await work((claims) => claims.findByName('globex', claim.name))).toBeUndefined();
      expect(await work((claims) => claims.countPending(organization))).toBe(2);
      await work((claims) => claims.change(claim.id, { releasedAt: CREATED }));
      expect(await work((claims) => claims.findByName(organization, claim.name))).toBeUndefined();
      expect(await work((claims) => claims.countPending(organization))).toBe(1);
    });

    it('ends the redirects of an organization to a name', async () => {
      const target = freshDomain();
      const redirecting = await add({ redirectTo: target });
      const elsewhere = await add({ redirectTo: freshDomain() });
      const foreign = await add({ redirectTo: target, organization: 'globex' });
      await work((claims) => claims.endRedirectsTo('northwind', target));
      const redirectOf = async ({ organization, id }: DomainClaimFacts) =>
        (await work((claims) => claims.find(organization, id)))?.redirectTo;
      expect(await redirectOf(redirecting)).toBeUndefined();
      expect(await redirectOf(elsewhere)).toBe(elsewhere.redirectTo);
      expect(await redirectOf(foreign)).toBe(target);
    });

    it('gives each due claim to one caller until its lease ends', async () => {
      const [first, second, third] = [1, 2, 3].map((i) => new Date(PAST.getTime() + i));
      const due = [
        await add({ nextCheckAt: first }),
        await add({ nextCheckAt: second }),
        await add({ nextCheckAt: third }),
      ];
      await add({ nextCheckAt: new Date(Date.now() + 86_400_000) });
      expect(await work((claims) => claims.msUntilDue())).toBe(0);
      const acquire = () => work((claims) => claims.acquireDue(60_000, 2));
      const batches = await Promise.all([acquire(), acquire()]);
      expect(batches.map(({ length }) => length).sort()).toEqual([1, 2]);
      const ids = batches.flat().map(({ id }) => id);
      expect(ids.sort()).toEqual(due.map(({ id }) => id).sort());
      expect(await acquire()).toEqual([]);
      const ms = await work((claims) => claims.msUntilDue());
      expect(ms).toBeGreaterThan(0);
      expect(ms).toBeLessThanOrEqual(60_000);
      for (const { id } of due) await work((claims) => claims.change(id, { nextCheckAt: undefined }));
    });
  });
}
