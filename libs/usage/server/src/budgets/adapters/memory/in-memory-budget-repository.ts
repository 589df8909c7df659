import { BudgetRepository, type OrganizationBudget, type StoredBudget } from '../../application/budget-repository.port';

/** Keeps budgets in memory, for tests. */
export class InMemoryBudgetRepository extends BudgetRepository {
  readonly #budgets = new Map<string, StoredBudget>();

  async find(organization: string): Promise<StoredBudget | undefined> {
    return this.#budgets.get(organization);
  }

  async page(after = '', limit: number): Promise<readonly OrganizationBudget[]> {
    return [...this.#budgets]
      .flatMap(([organization, { monthlyUsd, notifyAt }]) =>
        monthlyUsd === undefined || organization <= after ? [] : [{ organization, monthlyUsd, notifyAt }],
      )
      .sort((one, other) => (one.organization < other.organization ? -1 : 1))
      .slice(0, limit);
  }

  async save(organization: string, budget: StoredBudget): Promise<void> {
    this.#budgets.set(organization, budget);
  }
}
