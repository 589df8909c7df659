import { beforeEach, describe, expect, it } from '@jest/globals';
import { BillingPeriod } from '@homeport/usage/contracts';
import type { UsageStore } from '../metering/application/usage-store.port';
import type { MonthClosings } from '../months/application/month-closings.port';

const november = BillingPeriod.parse('2026-11') as BillingPeriod;
const december = november.next();

export interface ClosingsUnderTest {
  readonly store: UsageStore;
  readonly closings: MonthClosings;
}

/** Contract tests of all `MonthClosings` adapters. @param open creates one without closed months. */
export function monthClosingsContract(name: string, open: () => Promise<ClosingsUnderTest>): void {
  describe(`${name} as the progress of charges`, () => {
    let store: UsageStore;
    let closings: MonthClosings;
    beforeEach(async () => {
      ({ store, closings } = await open());
      const at = november.start;
      await store.record([
        { organization: 'northwind', source: name, id: String(Math.random()), item: 'agent-run', quantity: 1n, at },
      ]);
    });
    const uncharged = async () =>
      (await closings.uncharged()).map(({ period, chargedThrough }) => [period.name, chargedThrough]);

    it('has the closed months that are not charged, the oldest first', async () => {
      expect(await uncharged()).toEqual([]);
      await store.close(november);
      await store.close(december);
      expect(await uncharged()).toEqual([
        ['2026-11', undefined],
        ['2026-12', undefined],
      ]);
      await closings.finish(november);
      await closings.finish(november);
      expect(await uncharged()).toEqual([['2026-12', undefined]]);
      expect([await closings.isFinished(november), await closings.isFinished(december)]).toEqual([true, false]);
      expect(await closings.isFinished(december.next())).toBe(false);
    });

    it('advances and never moves backwards', async () => {
      await store.close(november);
      await closings.advance(november, 'm');
      await closings.advance(november, 'c');
      expect(await uncharged()).toEqual([['2026-11', 'm']]);
      await closings.advance(november, 'z');
      expect(await uncharged()).toEqual([['2026-11', 'z']]);
    });
  });
}
