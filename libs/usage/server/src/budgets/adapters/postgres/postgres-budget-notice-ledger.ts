import type { Database } from '@homeport/platform/server/database';
import {
  BudgetNoticeLedger,
  type LeasedNotice,
  type NewBudgetNotice,
} from '../../application/budget-notice-ledger.port';

interface NoticeRow {
  readonly id: string;
  readonly organization: string;
  readonly period: string;
  readonly percent: number;
  readonly budget_usd: string;
  readonly total_usd: string;
  readonly reached_at: Date;
  readonly attempts: number;
}

/** Stores notices in PostgreSQL, so that several instances send each of them once. */
export class PostgresBudgetNoticeLedger extends BudgetNoticeLedger {
  constructor(private readonly database: Database) {
    super();
  }

  async add(notices: readonly NewBudgetNotice[]): Promise<void> {
    if (notices.length === 0) return;
    await this.database.run((manager) =>
      manager.query(
        `insert into usage.budget_notices (organization, period, percent, budget_usd, total_usd)
         select * from unnest($1::text[], $2::text[], $3::integer[], $4::numeric[], $5::numeric[])
         on conflict on constraint budget_notices_once do nothing`,
        [
          notices.map(({ organization }) => organization),
          notices.map(({ period }) => period),
          notices.map(({ percent }) => percent),
          notices.map(({ budgetUsd }) => budgetUsd),
          notices.map(({ totalUsd }) => totalUsd),
        ],
      ),
    );
  }

  async lease(seconds: number): Promise<LeasedNotice | undefined> {
    const [row] = await this.database.run((manager) =>
      manager.query<NoticeRow[]>(
        `with leased as (
           update usage.budget_notices
           set attempts = attempts + 1, due_at = clock_timestamp() + make_interval(secs => $1)
           where id = (
             select id from usage.budget_notices where sent_at is null and due_at <= clock_timestamp()
             order by due_at, percent limit 1 for update skip locked
           ) returning *
         ) select * from leased`,
        [seconds],
      ),
    );
    return row && toLeased(row);
  }

  async markSent(id: string): Promise<void> {
    await this.database.run((manager) =>
      manager.query('update usage.budget_notices set due_at = null, sent_at = clock_timestamp() where id = $1', [id]),
    );
  }

  async postpone(id: string, seconds: number | undefined): Promise<void> {
    await this.database.run((manager) =>
      manager.query(
        'update usage.budget_notices set due_at = clock_timestamp() + make_interval(secs => $2) where id = $1',
        [id, seconds ?? null],
      ),
    );
  }

  async removeBefore(period: string): Promise<void> {
    await this.database.run((manager) => manager.query('delete from usage.budget_notices where period < $1', [period]));
  }
}

function toLeased({ id, organization, period, percent, attempts, ...row }: NoticeRow): LeasedNotice {
  return {
    notice: {
      ...{ id, organization, period, percent },
      budgetUsd: row.budget_usd,
      totalUsd: row.total_usd,
      reachedAt: row.reached_at,
    },
    attempt: attempts,
  };
}
