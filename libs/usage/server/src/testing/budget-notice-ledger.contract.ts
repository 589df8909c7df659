import { beforeEach, describe, expect, it } from '@jest/globals';
import type { BudgetNoticeLedger, NewBudgetNotice } from '../budgets/application/budget-notice-ledger.port';

const HOUR = 3_600;
const notice: NewBudgetNotice = {
  ...{ organization: 'northwind', period: '2026-11', percent: 50, budgetUsd: '250.5', totalUsd: '130.25' },
};

/** Contract tests of all `BudgetNoticeLedger` adapters. @param open creates an empty ledger. */
export function budgetNoticeLedgerContract(name: string, open: () => Promise<BudgetNoticeLedger>): void {
  describe(`${name} as a ledger of budget notices`, () => {
    let ledger: BudgetNoticeLedger;
    beforeEach(async () => {
      ledger = await open();
    });
    const leaseAll = async () => {
      const leased = [];
      for (let next = await ledger.lease(HOUR); next; next = await ledger.lease(HOUR)) leased.push(next);
      return leased;
    };

    it('adds a notice once for each organization, month, budget and percentage', async () => {
      const changes = [{}, { organization: 'globex' }, { period: '2026-12' }, { budgetUsd: '300' }, { percent: 75 }];
      const all = changes.map((change) => ({ ...notice, ...change }));
      await ledger.add(all);
      await Promise.all([ledger.add(all), ledger.add([{ ...notice, totalUsd: '140' }]), ledger.add([])]);
      const leased = await leaseAll();
      expect(leased).toHaveLength(all.length);
      expect(leased.map((each) => each.notice)).toEqual(
        expect.arrayContaining(all.map((each) => ({ ...each, id: expect.any(String), reachedAt: expect.any(Date) }))),
      );
      expect(new Set(leased.map((each) => each.notice.id)).size).toBe(all.length);
    });

    it('leases a notice to one caller', async () => {
      await ledger.add([notice, { ...notice, percent: 75 }]);
      const leased = await Promise.all([1, 2, 3, 4].map(() => ledger.lease(HOUR)));
      expect(leased.filter(Boolean)).toHaveLength(2);
      expect(new Set(leased.map((each) => each?.notice.percent))).toEqual(new Set([50, 75, undefined]));
    });

    it('leases a notice again when its lease has ended, as the next attempt', async () => {
      await ledger.add([notice]);
      const [first, second] = [await ledger.lease(0), await ledger.lease(HOUR)];
      expect([first?.attempt, second]).toEqual([1, { ...first, attempt: 2 }]);
      expect(await ledger.lease(HOUR)).toBeUndefined();
    });

    it('removes the notices of the months before a month', async () => {
      await ledger.add(['2026-09', '2026-10', '2026-11'].map((period) => ({ ...notice, period })));
      await ledger.removeBefore('2026-11');
      expect((await leaseAll()).map((each) => each.notice.period)).toEqual(['2026-11']);
      await ledger.add([notice]);
      expect(await leaseAll()).toEqual([]);
    });

    it('leases no notice that was sent, given up or postponed', async () => {
      await ledger.add([50, 75, 100].map((percent) => ({ ...notice, percent })));
      const [one, two, three] = await leaseAll();
      await ledger.markSent(one!.notice.id);
      await ledger.postpone(two!.notice.id, undefined);
      await ledger.postpone(three!.notice.id, HOUR);
      expect(await ledger.lease(HOUR)).toBeUndefined();
      await ledger.postpone(three!.notice.id, 0);
      expect(await ledger.lease(HOUR)).toEqual({ ...three, attempt: 2 });
      await ledger.add([notice]);
      expect(await ledger.lease(HOUR)).toBeUndefined();
    });
  });
}
