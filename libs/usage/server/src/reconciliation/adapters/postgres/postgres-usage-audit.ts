import type { Database } from '@homeport/platform/server/database';
import type { BillingPeriod } from '@homeport/usage/contracts';
import { METERS } from '../../../metering/domain/meter';
import { type SumMismatch, UsageAudit } from '../../application/usage-audit.port';

const MEASURED = METERS.map(({ item }) => item);

/** Adds up the usage in PostgreSQL. */
export class PostgresUsageAudit extends UsageAudit {
  constructor(private readonly database: Database) {
    super();
  }

  async mismatches({ name }: BillingPeriod): Promise<readonly SumMismatch[]> {
    const rows = await this.database.run((manager) =>
      manager.query<{ organization: string; item: string; event_sum: string; hourly_sum: string }[]>(
        `with stored as (
           select date_trunc('hour', clock_timestamp()) - interval '62 days' as since
         ), events as (
           select organization, item, sum(quantity) as total from usage.events, stored
           where period = $1 and item <> all($2) and occurred_at >= since group by organization, item
         ), hours as (
           select organization, item, sum(quantity) as total from usage.hours, stored
           where period = $1 and item <> all($2) and hour >= since group by organization, item
         )
         select organization, item, trim_scale(coalesce(events.total, 0)) as event_sum,
           trim_scale(coalesce(hours.total, 0)) as hourly_sum
         from events full join hours using (organization, item)
         where coalesce(events.total, 0) <> coalesce(hours.total, 0) order by organization, item`,
        [name, MEASURED],
      ),
    );
    return rows.map(({ organization, item, event_sum, hourly_sum }) => ({
      ...{ organization, item, eventSum: event_sum, hourlySum: hourly_sum },
    }));
  }

  async organizationsIn({ name }: BillingPeriod): Promise<readonly string[]> {
    const rows = await this.database.run((manager) =>
      manager.query<{ organization: string }[]>(
        'select distinct organization from usage.hours where period = $1 and quantity > 0 order by organization',
        [name],
      ),
    );
    return rows.map(({ organization }) => organization);
  }
}
