/** A monthly budget. It never stops usage. */
export interface StoredBudget {
  /** A decimal string; undefined when the organization has no budget. */
  readonly monthlyUsd: string | undefined;
  /** Percentages of the budget, in ascending order. */
  readonly notifyAt: readonly number[];
}

/** A budget with an amount. */
export interface OrganizationBudget {
  readonly organization: string;
  readonly monthlyUsd: string;
  readonly notifyAt: readonly number[];
  /** When it was saved last. */
  readonly changedAt: Date;
}

/** Stores the budgets of organizations. Every method can reject with DatabaseUnavailable. */
export abstract class BudgetRepository {
  /** @returns undefined for an organization that never set one. */
  abstract find(organization: string): Promise<StoredBudget | undefined>;

  /** The budgets with an amount, sorted by organization. @param after undefined for the first page. */
  abstract page(after: string | undefined, limit: number): Promise<readonly OrganizationBudget[]>;

  /** @param changedBy the name of the actor in the audit trail. */
  abstract save(organization: string, budget: StoredBudget, changedBy: string): Promise<void>;
}
