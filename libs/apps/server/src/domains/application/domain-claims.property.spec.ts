import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { suiteSize } from '@homeport/platform/server/testing';
import { InMemoryApps } from '../../shared/adapters/memory/in-memory-apps';
import { InMemoryAppsUnitOfWork } from '../../shared/adapters/memory/in-memory-apps-unit-of-work';
import { AppFixture, memberOf } from '../../testing/app-fixture';
import { domainSteps, DomainWorld } from '../../testing/domain-world';

async function openWorld() {
  const store = new InMemoryApps();
  const fixture = AppFixture.inMemory(store);
  const organizations = ['northwind', 'globex', 'initech'];
  const parties = [];
  for (const organization of organizations) {
    const { app } = await fixture.register(memberOf(organization));
    parties.push({ organization, appId: app.id });
  }
  const unitOfWork = new InMemoryAppsUnitOfWork(store);
  return { store, world: new DomainWorld({ unitOfWork, parties, domain: 'acme.test' }) };
}

describe('random claims, proofs, removals and clock jumps of three organizations', () => {
  it('never give a name two owners, and charge served names only', async () => {
    await fc.assert(
      fc.asyncProperty(domainSteps({ minLength: 20, maxLength: 120 }), async (steps) => {
        const { store, world } = await openWorld();
        for (const step of steps) {
          await world.run(step);
          await world.assertOneOwner();
          for (const { claimId } of [...store.domainPeriods.values()].filter(({ to }) => !to)) {
            expect(store.domainClaims.get(claimId)).toMatchObject({ releasedAt: undefined, suspendedAt: undefined });
          }
        }
      }),
      { numRuns: suiteSize(60, 5_000) },
    );
  });
});
