import type { FigureSource } from '@homeport/platform/server/metrics';
import type { Query } from '@homeport/platform/server/postgres';

const OVERDUE = 'homeport_usage_months_overdue';
const NOTICES = 'homeport_usage_budget_notices_unsent';

/**
 * A month closes 24 hours after its end, and charging it takes minutes. Before the first month is closed, the first
 * measured level tells where to begin: levels of the storage have an index by hour.
 */
const OVERDUE_MONTHS = `
  with next as (
    select coalesce(
      (select (max(period) || '-01')::timestamp + interval '1 month' from usage.closed_months),
      (select date_trunc('month', min(hour) at time zone 'UTC') from usage.hours where item = 'storage')
    ) as month
  )
  select
    (select count(*) from usage.closed_months where charged_at is null and closed_at < now() - interval '2 hours')
    + (select count(*) from next, generate_series(
         next.month,
         (now() at time zone 'UTC') - interval '26 hours' - interval '1 month',
         interval '1 month'
       )) as overdue`;

const UNSENT_NOTICES = `
  select count(due_at) as waiting, count(*) - count(due_at) as given_up
  from usage.budget_notices where sent_at is null`;

/** What PostgreSQL knows about the charging of months and the notices of budgets, the same on every instance. */
export function usageFigures(query: Query): FigureSource {
  return {
    name: 'usage',
    figures: [
      {
        type: 'gauge',
        name: OVERDUE,
        help: 'Months that ended more than 26 hours ago and are not charged to all accounts.',
      },
      {
        type: 'gauge',
        name: NOTICES,
        help: 'Notices of budgets that the webhook did not accept: waiting for an attempt, or given up.',
        labels: ['state'],
      },
    ],
    async read() {
      const [row] = await query<{ overdue: string }>(OVERDUE_MONTHS);
      const [notices] = await query<{ waiting: string; given_up: string }>(UNSENT_NOTICES);
      return {
        [OVERDUE]: [{ value: Number(row?.overdue ?? 0) }],
        [NOTICES]: [
          { labels: { state: 'waiting' }, value: Number(notices?.waiting ?? 0) },
          { labels: { state: 'given-up' }, value: Number(notices?.given_up ?? 0) },
        ],
      };
    },
  };
}
