/** A monthly budget. It never stops usage. */
export interface StoredBudget {
  /** A decimal string; undefined when the organization has no budget. */
  readonly monthlyUsd: string | undefined;
  /** Percentages of the budget, in ascending order. */
  readonly notifyAt: readonly number[];
}

/** Stores the budgets of organizations. Every method can reject with DatabaseUnavailable. */
export abstract class BudgetRepository {
  /** @returns undefined for an organization that never set one. */
  abstract find(organization: string): Promise<StoredBudget | undefined>;

  /** @param changedBy the name of the actor in the audit trail. */
  abstract save(organization: string, budget: StoredBudget, changedBy: string): Promise<void>;
}
