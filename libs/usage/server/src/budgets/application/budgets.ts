import { auditNameOf, type Member } from '@homeport/identity/contracts';
import type { Budget, BudgetRequest } from '@homeport/usage/contracts';
import type { BudgetRepository, StoredBudget } from './budget-repository.port';

const DEFAULT: StoredBudget = { monthlyUsd: undefined, notifyAt: [50, 75, 100] };

/** Reads and sets the budget of an organization. */
export class Budgets {
  constructor(private readonly budgets: BudgetRepository) {}

  /** @throws {DatabaseUnavailable} */
  async get({ organization }: Member): Promise<Budget> {
    return toBudget((await this.budgets.find(organization)) ?? DEFAULT);
  }

  /** @throws {DatabaseUnavailable} */
  async set(member: Member, { monthly_usd, notify_at }: BudgetRequest): Promise<Budget> {
    const budget: StoredBudget = {
      monthlyUsd: monthly_usd === null ? undefined : String(monthly_usd),
      notifyAt: notify_at.toSorted((one, other) => one - other),
    };
    await this.budgets.save(member.organization, budget, auditNameOf(member));
    return toBudget(budget);
  }
}

function toBudget({ monthlyUsd, notifyAt }: StoredBudget): Budget {
  return { monthly_usd: monthlyUsd ?? null, notify_at: notifyAt };
}
