import type { Database } from '@homeport/platform/server/database';
import type { BillingPeriod } from '@homeport/usage/contracts';
import { METERS } from '../../../metering/domain/meter';
import { type SumMismatch, UsageAudit } from '../../application/usage-audit.port';

const MEASURED = METERS.map(({ item }) => item);

/** Adds up the usage in PostgreSQL, by pages of organizations: no index begins with the month. */
export class PostgresUsageAudit extends UsageAudit {
  constructor(private readonly database: Database) {
    super();
  }

  async organizations(after: string | undefined, limit: number): Promise<readonly string[]> {
    // Skips from organization to organization in the primary keys.
    const rows = await this.database.run((manager) =>
      manager.query<{ name: string }[]>(
        `with recursive names as (
           select $1::text as name, 0 as number
           union all
           select (
             select min(organization) from (
               (select organization from usage.events where organization > names.name order by organization limit 1)
               union all
               (select organization from usage.hours where organization > names.name order by organization limit 1)
             ) as next
           ), number + 1 from names where name is not null and number < $2
         )
         select name from names where number > 0 and name is not null order by number`,
        [after ?? '', limit],
      ),
    );
    return rows.map(({ name }) => name);
  }

  async mismatches({ name }: BillingPeriod, organizations: readonly string[]): Promise<readonly SumMismatch[]> {
    const rows = await this.database.run((manager) =>
      manager.query<{ organization: string; item: string; event_sum: string; hourly_sum: string }[]>(
        `with stored as (
           select date_trunc('hour', clock_timestamp()) - interval '62 days' as since
         ), events as (
           select organization, item, sum(quantity) as total from usage.events, stored
           where organization = any($3) and period = $1 and item <> all($2) and occurred_at >= since
           group by organization, item
         ), hours as (
           select organization, item, sum(quantity) as total from usage.hours, stored
           where organization = any($3) and period = $1 and item <> all($2) and hour >= since
           group by organization, item
         )
         select organization, item, trim_scale(coalesce(events.total, 0)) as event_sum,
           trim_scale(coalesce(hours.total, 0)) as hourly_sum
         from events full join hours using (organization, item)
         where coalesce(events.total, 0) <> coalesce(hours.total, 0) order by organization, item`,
        [name, MEASURED, organizations],
      ),
    );
    return rows.map(({ organization, item, event_sum, hourly_sum }) => ({
      ...{ organization, item, eventSum: event_sum, hourlySum: hourly_sum },
    }));
  }

  async withUsage({ name }: BillingPeriod, organizations: readonly string[]): Promise<readonly string[]> {
    const rows = await this.database.run((manager) =>
      manager.query<{ organization: string }[]>(
        `select distinct organization from usage.hours
         where organization = any($2) and period = $1 and quantity > 0 order by organization`,
        [name, organizations],
      ),
    );
    return rows.map(({ organization }) => organization);
  }
}
