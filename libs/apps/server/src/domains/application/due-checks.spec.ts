import { describe, expect, it } from '@jest/globals';
import { InMemoryApps } from '../../shared/adapters/memory/in-memory-apps';
import { InMemoryAppsUnitOfWork } from '../../shared/adapters/memory/in-memory-apps-unit-of-work';
import { domainClaim } from '../../testing/domain-claims.contract';
import { DomainClaim, type DomainClaimFacts } from '../domain/domain-claim';
import type { DomainChecker } from './domain-checker';
import { DueChecks } from './due-checks';

const START = new Date('2026-11-24T00:00:00Z');
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const CLAIMS = 10_000;

/** Evenly distributed from 0 to below 1, and the same in each run. */
function sequence(): () => number {
  let state = 1;
  return () => (state = (state * 16_807) % 2_147_483_647) / 2_147_483_647;
}

/** The checks in each minute of some days, from the checks that are due at the start. */
function checksPerMinute(first: readonly DomainClaimFacts[], days: number): readonly number[] {
  const random = sequence();
  const minutes = Array.from({ length: (days * DAY) / MINUTE }, () => [] as DomainClaimFacts[]);
  const minuteOf = ({ nextCheckAt = START }: DomainClaimFacts) =>
    Math.floor((nextCheckAt.getTime() - START.getTime()) / MINUTE);
  for (const claim of first) minutes[minuteOf(claim)]?.push(claim);
  return minutes.map((due) => {
    // It grows while claims have more than one check in the minute.
    for (const claim of due) {
      const finding = { proof: 'present', routing: 'here' } as const;
      const changes = new DomainClaim(claim, false).applyFinding(finding, claim.nextCheckAt ?? START, random());
      const next = { ...claim, ...changes };
      minutes[minuteOf(next)]?.push(next);
    }
    return due.length;
  });
}

describe('the checks of 10,000 claimed names', () => {
  it('are spread over the days, also when all names were added and verified in the same second', () => {
    const claims = Array.from({ length: CLAIMS }, () => domainClaim({ createdAt: START, nextCheckAt: START }));
    const perMinute = checksPerMinute(claims, 15);
    const peak = (fromDay: number, toDay: number) =>
      Math.max(...perMinute.slice((fromDay * DAY) / MINUTE, (toDay * DAY) / MINUTE));
    expect(perMinute[0]).toBe(CLAIMS);
    // The mean of a day is 7. The first cycle is as wide as the jitter, and each is wider than the one before.
    expect(peak(0.1, 2)).toBeLessThanOrEqual(60);
    expect(peak(2, 7)).toBeLessThanOrEqual(45);
    expect(peak(7, 15)).toBeLessThanOrEqual(35);
  });

  it('never run more than 20 at once, however many are overdue', async () => {
    const store = new InMemoryApps();
    const unitOfWork = new InMemoryAppsUnitOfWork(store);
    const overdue = Array.from({ length: 130 }, () => domainClaim({ nextCheckAt: START }));
    await unitOfWork.run(async ({ domainClaims }) => {
      for (const claim of overdue) await domainClaims.add(claim, []);
    });
    const running = new Set<string>();
    const checked: string[] = [];
    let most = 0;
    const checker = {
      check: async ({ id }: DomainClaimFacts) => {
        running.add(id);
        most = Math.max(most, running.size);
        await Promise.resolve();
        running.delete(id);
        checked.push(id);
      },
    } as unknown as DomainChecker;
    const scheduleRun = async () => undefined;
    await Promise.all([1, 2].map(() => new DueChecks({ unitOfWork, checker, scheduleRun }).run()));
    expect(most).toBeLessThanOrEqual(2 * 20);
    expect(checked.toSorted()).toEqual(overdue.map(({ id }) => id).toSorted());
  });
});
