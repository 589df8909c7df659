import { BudgetRepository, type OrganizationBudget, type StoredBudget } from '../../application/budget-repository.port';

/** Keeps budgets in memory, for tests. */
export class InMemoryBudgetRepository extends BudgetRepository {
  readonly #budgets = new Map<string, StoredBudget & Pick<OrganizationBudget, 'changedAt'>>();

  /** @param now the time in milliseconds. */
  constructor(private readonly now: () => number = () => Date.now()) {
    super();
  }

  async find(organization: string): Promise<StoredBudget | undefined> {
    const found = this.#budgets.get(organization);
    return found && { monthlyUsd: found.monthlyUsd, notifyAt: found.notifyAt };
  }

  async page(after = '', limit: number): Promise<readonly OrganizationBudget[]> {
    return [...this.#budgets]
      .flatMap(([organization, { monthlyUsd, ...budget }]) =>
        monthlyUsd === undefined || organization <= after ? [] : [{ organization, monthlyUsd, ...budget }],
      )
      .sort((one, other) => (one.organization < other.organization ? -1 : 1))
      .slice(0, limit);
  }

  async save(organization: string, budget: StoredBudget): Promise<void> {
    this.#budgets.set(organization, { ...budget, changedAt: new Date(this.now()) });
  }
}
