import type { Database } from '@homeport/platform/server/database';
import { BudgetRepository, type OrganizationBudget, type StoredBudget } from '../../application/budget-repository.port';

/** The budgets in PostgreSQL. */
export class PostgresBudgetRepository extends BudgetRepository {
  constructor(private readonly database: Database) {
    super();
  }

  async find(organization: string): Promise<StoredBudget | undefined> {
    const [row] = await this.database.run((manager) =>
      manager.query<{ monthly_usd: string | null; notify_at: number[] }[]>(
        'select monthly_usd, notify_at from usage.budgets where organization = $1',
        [organization],
      ),
    );
    return row && { monthlyUsd: row.monthly_usd ?? undefined, notifyAt: row.notify_at };
  }

  async page(after: string | undefined, limit: number): Promise<readonly OrganizationBudget[]> {
    const rows = await this.database.run((manager) =>
      manager.query<{ organization: string; monthly_usd: string; notify_at: number[]; changed_at: Date }[]>(
        `select organization, monthly_usd, notify_at, changed_at from usage.budgets
         where monthly_usd is not null and ($1::text is null or organization > $1) order by organization limit $2`,
        [after ?? null, limit],
      ),
    );
    return rows.map((row) => ({
      organization: row.organization,
      monthlyUsd: row.monthly_usd,
      notifyAt: row.notify_at,
      changedAt: row.changed_at,
    }));
  }

  async save(organization: string, { monthlyUsd, notifyAt }: StoredBudget, changedBy: string): Promise<void> {
    await this.database.run((manager) =>
      manager.query(
        `insert into usage.budgets (organization, monthly_usd, notify_at, changed_by) values ($1, $2, $3, $4)
         on conflict (organization) do update
         set monthly_usd = $2, notify_at = $3, changed_at = clock_timestamp(), changed_by = $4`,
        [organization, monthlyUsd ?? null, notifyAt, changedBy],
      ),
    );
  }
}
