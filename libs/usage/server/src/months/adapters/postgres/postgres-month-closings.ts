import type { Database } from '@homeport/platform/server/database';
import { BillingPeriod } from '@homeport/usage/contracts';
import { MonthClosings, type UnchargedMonth } from '../../application/month-closings.port';

/** Stores the progress in the rows of the closed months. */
export class PostgresMonthClosings extends MonthClosings {
  constructor(private readonly database: Database) {
    super();
  }

  async now(): Promise<Date> {
    const [row] = await this.database.run((manager) =>
      manager.query<{ now: Date }[]>('select clock_timestamp() as now'),
    );
    if (!row) throw new Error('PostgreSQL returned no time');
    return row.now;
  }

  async uncharged(): Promise<readonly UnchargedMonth[]> {
    const rows = await this.database.run((manager) =>
      manager.query<{ period: string; charged_through: string | null }[]>(
        'select period, charged_through from usage.closed_months where charged_at is null order by period',
      ),
    );
    return rows.map(({ period, charged_through }) => ({
      // A constraint checks the form of periods.
      period: BillingPeriod.parse(period) as BillingPeriod,
      chargedThrough: charged_through ?? undefined,
    }));
  }

  async advance({ name }: BillingPeriod, organization: string): Promise<void> {
    await this.database.run((manager) =>
      manager.query(
        `update usage.closed_months set charged_through = greatest(charged_through, $2) where period = $1`,
        [name, organization],
      ),
    );
  }

  async isFinished({ name }: BillingPeriod): Promise<boolean> {
    const rows = await this.database.run((manager) =>
      manager.query<object[]>('select from usage.closed_months where period = $1 and charged_at is not null', [name]),
    );
    return rows.length > 0;
  }

  async finish({ name }: BillingPeriod): Promise<void> {
    await this.database.run((manager) =>
      manager.query(
        'update usage.closed_months set charged_at = coalesce(charged_at, clock_timestamp()) where period = $1',
        [name],
      ),
    );
  }
}
