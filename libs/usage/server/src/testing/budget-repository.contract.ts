import { beforeEach, describe, expect, it } from '@jest/globals';
import type { BudgetRepository } from '../budgets/application/budget-repository.port';

/** Contract tests of all `BudgetRepository` adapters. @param open creates an empty repository. */
export function budgetRepositoryContract(name: string, open: () => Promise<BudgetRepository>): void {
  describe(`${name} as a budget repository`, () => {
    let budgets: BudgetRepository;
    beforeEach(async () => {
      budgets = await open();
    });

    it('finds what was saved last', async () => {
      expect(await budgets.find('northwind')).toBeUndefined();
      await budgets.save('northwind', { monthlyUsd: '250.5', notifyAt: [50, 100] }, 'ada');
      expect(await budgets.find('northwind')).toEqual({ monthlyUsd: '250.5', notifyAt: [50, 100] });
      await budgets.save('northwind', { monthlyUsd: undefined, notifyAt: [] }, 'ben');
      expect(await budgets.find('northwind')).toEqual({ monthlyUsd: undefined, notifyAt: [] });
      expect(await budgets.find('globex')).toBeUndefined();
    });

    it('pages the budgets with an amount by organization', async () => {
      const budget = { monthlyUsd: '10', notifyAt: [75] };
      for (const organization of ['c', 'a', 'd', 'b']) await budgets.save(organization, budget, 'ada');
      await budgets.save('b', { ...budget, monthlyUsd: undefined }, 'ada');
      expect(await budgets.page(undefined, 2)).toEqual([
        { organization: 'a', ...budget, changedAt: expect.any(Date) },
        { organization: 'c', ...budget, changedAt: expect.any(Date) },
      ]);
      const [d, ...others] = await budgets.page('c', 2);
      expect([d, others]).toMatchObject([{ organization: 'd', ...budget }, []]);
      await budgets.save('d', budget, 'ada');
      const [saved] = await budgets.page('c', 2);
      expect(saved!.changedAt.getTime()).toBeGreaterThanOrEqual(d!.changedAt.getTime());
      expect(await budgets.page('d', 2)).toEqual([]);
    });
  });
}
