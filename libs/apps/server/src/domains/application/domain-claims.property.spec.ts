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

/** Each action that can follow another one, as the trail of one domain. */
const TRAIL =
  /^added(?: verified(?: suspended(?: restored suspended)*)?(?: restored)?)?(?: (?:released|taken-over|removed))?$/;

/** Everything that changed a claim is in the audit trail, once, with its actor. */
function assertRecorded({ auditEvents, domainClaims }: InMemoryApps): void {
  const trails = Map.groupBy(
    [...auditEvents.values()].filter(({ action }) => action.startsWith('apps.domain-')),
    ({ target }) => target,
  );
  expect(trails.size).toBe(domainClaims.size);
  for (const [id, events] of trails) {
    const trail = events.map(({ action }) => action.replace('apps.domain-', ''));
    expect(trail.join(' ')).toMatch(TRAIL);
    for (const { action, actor } of events) {
      expect(actor.name === 'system').toBe(!/-(?:added|removed)$/.test(action));
    }
    const { organization, verifiedAt, suspendedAt, releasedAt } = domainClaims.get(id) ?? {};
    expect(new Set(events.map((event) => event.organization))).toEqual(new Set([organization]));
    expect(trail.includes('verified')).toBe(verifiedAt !== undefined);
    expect(trail.lastIndexOf('suspended') > trail.lastIndexOf('restored')).toBe(suspendedAt !== undefined);
    expect(/(?:released|taken-over|removed)$/.test(trail.at(-1) ?? '')).toBe(releasedAt !== undefined);
  }
}

describe('random claims, proofs, removals and clock jumps of three organizations', () => {
  it('never give a name two owners, charge served names only, and are recorded once', async () => {
    await fc.assert(
      fc.asyncProperty(domainSteps({ minLength: 20, maxLength: 120 }), async (steps) => {
        const { store, world } = await openWorld();
        for (const step of steps) {
          await world.run(step);
          await world.assertOneOwner();
          assertRecorded(store);
          for (const { claimId } of [...store.domainPeriods.values()].filter(({ to }) => !to)) {
            expect(store.domainClaims.get(claimId)).toMatchObject({ releasedAt: undefined, suspendedAt: undefined });
          }
        }
      }),
      { numRuns: suiteSize(60, 5_000) },
    );
  });
});
