import { describe, expect, it } from '@jest/globals';
import { InMemoryApps } from '../../shared/adapters/memory/in-memory-apps';
import { InMemoryAppsUnitOfWork } from '../../shared/adapters/memory/in-memory-apps-unit-of-work';
import { memberOf } from '../../testing/app-fixture';
import { domainClaim } from '../../testing/domain-claims.contract';
import type { DomainClaimFacts } from '../domain/domain-claim';
import { DomainCatalog } from './domain-catalog';
import type { DomainChecker } from './domain-checker';
import { DomainPresenter } from './domain-presenter';

const MEMBER = memberOf('northwind');

it('looks at the records of a domain once for calls at the same time, and again after 5 seconds', async () => {
  const unitOfWork = new InMemoryAppsUnitOfWork(new InMemoryApps());
  const [claim, other] = [domainClaim(), domainClaim()];
  for (const each of [claim, other]) await unitOfWork.run(({ domainClaims }) => domainClaims.add(each, []));
  const checked: string[] = [];
  let now = new Date('2026-11-24T00:00:00Z');
  let failure: Error | undefined;
  const check = async ({ id }: DomainClaimFacts) => {
    checked.push(id);
    if (failure) throw failure;
    await unitOfWork.run(({ domainClaims }) => domainClaims.change(id, { checkedAt: now, routing: 'here' }));
  };
  const prices = { priceOf: () => Promise.reject(new Error('unused')) };
  const presenter = new DomainPresenter(false);
  const catalog = new DomainCatalog({
    unitOfWork,
    checker: { check },
    presenter,
    prices,
    offersBaseDomains: true,
    now: () => now,
  });

  const ids = [claim.id, claim.id, other.id, claim.id];
  const results = await Promise.all(ids.map((id) => catalog.check(MEMBER, id)));
  expect(checked.toSorted()).toEqual([claim.id, other.id].toSorted());
  expect(results.map(({ id, routing }) => [id, routing])).toEqual(ids.map((id) => [id, 'here']));
  await catalog.check(MEMBER, claim.id);
  expect(checked).toHaveLength(2);

  now = new Date(now.getTime() + 5_000);
  failure = new Error('the database is unavailable');
  await expect(catalog.check(MEMBER, claim.id)).rejects.toBe(failure);
  failure = undefined;
  await catalog.check(MEMBER, claim.id);
  expect(checked).toHaveLength(4);
});

function catalogOf(offersBaseDomains: boolean): DomainCatalog {
  return new DomainCatalog({
    unitOfWork: new InMemoryAppsUnitOfWork(new InMemoryApps()),
    checker: { check: async () => undefined } as unknown as DomainChecker,
    presenter: new DomainPresenter(false),
    prices: { priceOf: async (_organization, kind) => ({ usd: kind === 'base' ? 50 : 10, cardVersion: '3' }) },
    offersBaseDomains,
  });
}

describe('the list of domains', () => {
  it.each([
    [true, ['hostname', 'base']],
    [false, ['hostname']],
  ])('names the kinds that can be added (base domains: %s)', async (offersBaseDomains, offered_kinds) => {
    expect(await catalogOf(offersBaseDomains).list(memberOf('northwind'))).toEqual({
      items: [],
      prices_usd: { hostname: 10, base: 50 },
      offered_kinds,
    });
  });
});
