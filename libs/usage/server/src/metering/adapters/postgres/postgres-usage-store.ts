import type { Database } from '@homeport/platform/server/database';
import { formatDecimal, parseDecimal, QUANTITY_PLACES } from '@homeport/pricing/contracts';
import { BillingPeriod } from '@homeport/usage/contracts';
import type { EntityManager } from 'typeorm';
import { type RecordedDay, type UsageAccount, UsageStore } from '../../application/usage-store.port';
import { type CountedUse, parseBatchName, sumOfUses, type UsageBatch } from '../../domain/counted-use';
import { countedMonths, type RecordedUsage } from '../../domain/recorded-usage';
import { type HourlyLevel, hourOf, type UsageEvent } from '../../domain/usage-event';

/** Shared by transactions that record usage; a month is closed with the exclusive lock. */
const CLOSING_LOCK = 0x75736167;

/** The month in which usage of a month counts: a closed month is replaced by the one after the last closed month. */
const OPEN_PERIOD = `greatest(month, coalesce(
  (select to_char(to_date(max(period), 'YYYY-MM') + interval '1 month', 'YYYY-MM') from usage.closed_months), month))`;

/** Stores usage in PostgreSQL. Quantities are exact numerics with 6 decimals. */
export class PostgresUsageStore extends UsageStore {
  constructor(private readonly database: Database) {
    super();
  }

  async record(events: readonly UsageEvent[]): Promise<number> {
    if (events.length === 0) return 0;
    const rows = events.map(({ organization, source, id, item, quantity, at }) => ({
      ...{ organization, source, id, item },
      quantity: decimal(quantity),
      occurred_at: at.toISOString(),
      hour: hourOf(at).toISOString(),
      month: BillingPeriod.containing(at).name,
    }));
    return this.#recording(async (manager) => {
      // The order prevents deadlocks between transactions that add to the same hours.
      const [{ accepted }] = await manager.query<[{ accepted: number }]>(
        `with given as (
           select distinct on (organization, source, id) *, ${OPEN_PERIOD} as period
           from rows from (jsonb_to_recordset($1::jsonb) as (
             organization text, source text, id text, item text, quantity numeric, occurred_at timestamptz,
             hour timestamptz, month text
           )) with ordinality as events (organization, source, id, item, quantity, occurred_at, hour, month, place)
           order by organization, source, id, place
         ), stored as (
           insert into usage.events (organization, source, id, item, quantity, occurred_at, period)
           select organization, source, id, item, quantity, occurred_at, period from given
           on conflict do nothing returning organization, source, id
         ), added as (
           insert into usage.hours (organization, period, item, hour, quantity)
           select organization, period, item, hour, sum(quantity) from given join stored using (organization, source, id)
           group by organization, period, item, hour order by organization, period, item, hour
           on conflict (organization, period, item, hour) do update set quantity = hours.quantity + excluded.quantity
         )
         select count(*)::int as accepted from stored`,
        [JSON.stringify(rows)],
      );
      return accepted;
    });
  }

  async recordBatches(batches: readonly UsageBatch[]): Promise<void> {
    if (batches.length === 0) return;
    const named = batches.map((batch) => ({ batch, ...parseBatchName(batch.name) }));
    const processes = named.map(({ process }) => process);
    const numbers = named.map(({ number }) => number);
    await this.#recording(async (manager) => {
      await manager.query(
        `insert into usage.deliveries (process) select distinct unnest($1::text[]) order by 1 on conflict do nothing`,
        [processes],
      );
      // Waits for other deliveries of the same batches. The order prevents deadlocks.
      const added = await manager.query<{ place: string }[]>(
        `select place from unnest($1::text[], $2::int8[]) with ordinality as given (process, number, place)
           join usage.deliveries using (process)
         where not batches @> number order by process, number for update of deliveries`,
        [processes, numbers],
      );
      const places = added.map(({ place }) => Number(place) - 1);
      await addUses(manager, sumOfUses(places.flatMap((place) => named[place]?.batch ?? [])));
      await manager.query(
        `update usage.deliveries set batches = batches + added, delivered_at = clock_timestamp()
         from (
           select process, range_agg(int8range(number, number + 1)) as added
           from unnest($1::text[], $2::int8[]) as given (process, number) group by process
         ) as given
         where given.process = deliveries.process`,
        [processes, numbers],
      );
    });
  }

  async removeEvents(before: Date, limit: number): Promise<number> {
    const [, count] = await this.database.run((manager) =>
      manager.query<[unknown[], number]>(
        `delete from usage.events where ctid = any (array(
           select ctid from usage.events where occurred_at < $1 order by occurred_at limit $2 for update skip locked
         ))`,
        [before, limit],
      ),
    );
    return count;
  }

  async removeDeliveries(before: Date): Promise<void> {
    await this.database.run((manager) =>
      manager.query('delete from usage.deliveries where delivered_at < $1', [before]),
    );
  }

  async recordLevels(levels: readonly HourlyLevel[]): Promise<void> {
    if (levels.length === 0) return;
    const rows = levels.map(({ organization, item, hour, level }) => ({
      ...{ organization, item },
      hour: hour.toISOString(),
      level: decimal(level),
      month: BillingPeriod.containing(hour).name,
    }));
    await this.#recording((manager) =>
      manager.query(
        `insert into usage.hours (organization, period, item, hour, quantity)
         select organization, ${OPEN_PERIOD}, item, hour, level
         from jsonb_to_recordset($1::jsonb) as levels (
           organization text, item text, hour timestamptz, level numeric, month text
         )
         where not exists (
           select from usage.hours where hours.organization = levels.organization and hours.item = levels.item
             and hours.hour = levels.hour
         )
         order by organization, item, hour on conflict do nothing`,
        [JSON.stringify(rows)],
      ),
    );
  }

  async levelsIn(item: string, hour: Date): Promise<ReadonlyMap<string, bigint>> {
    const rows = await this.database.run((manager) =>
      manager.query<{ organization: string; quantity: string }[]>(
        'select organization, quantity from usage.hours where item = $1 and hour = $2',
        [item, hour],
      ),
    );
    return new Map(rows.map(({ organization, quantity }) => [organization, micro(quantity)]));
  }

  async lastMeasuredHour(item: string): Promise<Date | undefined> {
    const [row] = await this.database.run((manager) =>
      manager.query<{ hour: Date }[]>('select hour from usage.measured_hours where item = $1', [item]),
    );
    return row?.hour;
  }

  async noteMeasuredHour(item: string, hour: Date): Promise<void> {
    await this.database.run((manager) =>
      manager.query(
        `insert into usage.measured_hours (item, hour) values ($1, $2)
         on conflict (item) do update set hour = greatest(measured_hours.hour, excluded.hour)`,
        [item, hour],
      ),
    );
  }

  async usageOf(accounts: readonly UsageAccount[], period: BillingPeriod): Promise<readonly RecordedUsage[]> {
    const counted = accounts.flatMap((account) => {
      const months = countedMonths(account.createdAt, period);
      return months ? [{ ...account, ...months }] : [];
    });
    const rows = await this.database.run((manager) =>
      manager.query<UsageRow[]>(
        `select organization, item,
           coalesce(sum(quantity) filter (where hour < trial_ends_at), 0) as in_trial,
           coalesce(sum(quantity) filter (where hour < least(trial_ends_at, $4)), 0) as late_in_trial,
           coalesce(sum(quantity) filter (where hour >= trial_ends_at), 0) as after_trial,
           coalesce(sum(quantity) filter (where hour >= trial_ends_at and hour < $4), 0) as late_after_trial
         from unnest($1::text[], $2::timestamptz[], $5::text[]) as accounts (organization, trial_ends_at, first_month)
           join usage.hours using (organization)
         where period between first_month and $3 group by organization, item`,
        [
          counted.map(({ organization }) => organization),
          counted.map(({ trialEndsAt }) => trialEndsAt),
          period.name,
          period.start,
          counted.map(({ first }) => first),
        ],
      ),
    );
    return rows.map((row) => ({
      organization: row.organization,
      item: row.item,
      inTrial: { total: micro(row.in_trial), late: micro(row.late_in_trial) },
      afterTrial: { total: micro(row.after_trial), late: micro(row.late_after_trial) },
    }));
  }

  async daysOf(account: UsageAccount, period: BillingPeriod, item: string): Promise<readonly RecordedDay[]> {
    const months = countedMonths(account.createdAt, period);
    if (!months) return [];
    const rows = await this.database.run((manager) =>
      manager.query<{ day: string; quantity: string }[]>(
        `select to_char(hour at time zone 'UTC', 'YYYY-MM-DD') as day, sum(quantity) as quantity
         from usage.hours where organization = $1 and period between $2 and $3 and item = $4 group by day order by day`,
        [account.organization, months.first, months.last, item],
      ),
    );
    return rows.map(({ day, quantity }) => ({ day, recorded: micro(quantity) }));
  }

  async close(period: BillingPeriod): Promise<void> {
    await this.database.transaction(async (manager) => {
      await manager.query('select pg_advisory_xact_lock($1)', [CLOSING_LOCK]);
      await manager.query('insert into usage.closed_months (period) values ($1) on conflict do nothing', [period.name]);
    });
  }

  firstClosed(): Promise<BillingPeriod | undefined> {
    return this.#month('select min(period) as period from usage.closed_months');
  }

  lastClosed(): Promise<BillingPeriod | undefined> {
    return this.#month('select max(period) as period from usage.closed_months');
  }

  firstMonth(): Promise<BillingPeriod | undefined> {
    // Skips from item to item in the index, because an index by month would serve this statement alone. Before the first
    // close, usage counts in the month of its hour.
    return this.#month(
      `with recursive items as (
         (select item from usage.hours order by item limit 1)
         union all
         select (select item from usage.hours where item > items.item order by item limit 1)
         from items where items.item is not null
       )
       select to_char(min(first) at time zone 'UTC', 'YYYY-MM') as period from items,
         lateral (select min(hour) as first from usage.hours where hours.item = items.item) as hours`,
    );
  }

  async #month(query: string): Promise<BillingPeriod | undefined> {
    const [row] = await this.database.run((manager) => manager.query<{ period: string | null }[]>(query));
    return row?.period ? BillingPeriod.parse(row.period) : undefined;
  }

  #recording<T>(work: (manager: EntityManager) => Promise<T>): Promise<T> {
    return this.database.transaction(async (manager) => {
      await manager.query('select pg_advisory_xact_lock_shared($1)', [CLOSING_LOCK]);
      return work(manager);
    });
  }
}

/** The order prevents deadlocks between transactions that add to the same hours. */
async function addUses(manager: EntityManager, uses: readonly CountedUse[]): Promise<void> {
  const rows = uses.map(({ organization, item, hour, quantity }) => ({
    ...{ organization, item },
    hour: hour.toISOString(),
    quantity: decimal(quantity),
    month: BillingPeriod.containing(hour).name,
  }));
  await manager.query(
    `insert into usage.hours (organization, period, item, hour, quantity)
     select organization, ${OPEN_PERIOD} as period, item, hour, quantity
     from jsonb_to_recordset($1::jsonb) as uses (
       organization text, item text, hour timestamptz, quantity numeric, month text
     )
     order by organization, period, item, hour
     on conflict (organization, period, item, hour) do update set quantity = hours.quantity + excluded.quantity`,
    [JSON.stringify(rows)],
  );
}

interface UsageRow {
  readonly organization: string;
  readonly item: string;
  readonly in_trial: string;
  readonly late_in_trial: string;
  readonly after_trial: string;
  readonly late_after_trial: string;
}

function decimal(quantity: bigint): string {
  return formatDecimal(quantity, QUANTITY_PLACES);
}

function micro(quantity: string): bigint {
  return parseDecimal(quantity, QUANTITY_PLACES);
}
