import { expect, it } from '@jest/globals';
import { InMemoryApps } from '../../shared/adapters/memory/in-memory-apps';
import { InMemoryAppsUnitOfWork } from '../../shared/adapters/memory/in-memory-apps-unit-of-work';
import { memberOf } from '../../testing/app-fixture';
import { domainClaim } from '../../testing/domain-claims.contract';
import type { DomainClaimFacts } from '../domain/domain-claim';
import { DomainCatalog } from './domain-catalog';
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
  const catalog = new DomainCatalog({ unitOfWork, checker: { check }, presenter, prices, now: () => now });

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
