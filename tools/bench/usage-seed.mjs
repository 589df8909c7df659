const MONTH_START = `date_trunc('month', now() at time zone 'UTC') at time zone 'UTC'`;
const BATCH = 1_000_000;
const ORGANIZATIONS = 1_000;
const ITEMS = `(array['agent-run', 'tool-call', 'member-sync', 'gateway-call'])`;

/** Stores events of this month, for 1,000 organizations, and their hours. The named one has its share. */
export async function seedEvents(database, { events, organization }) {
  for (let start = 0; start < events; start += BATCH) {
    await database.query(
      `insert into usage.events (organization, source, id, item, quantity, occurred_at, period)
       select case n % ${ORGANIZATIONS} when 0 then $1 else 'org-' || n % ${ORGANIZATIONS} end,
         'https://bench.example', n::text, ${ITEMS}[1 + n / ${ORGANIZATIONS} % 4], 1,
         ${MONTH_START} + (now() - ${MONTH_START}) * (n::float / $4),
         to_char(now() at time zone 'UTC', 'YYYY-MM')
       from generate_series($2::bigint, $3::bigint) n`,
      [organization, start, Math.min(start + BATCH, events) - 1, events],
    );
  }
  await database.query(
    `insert into usage.hours (organization, period, item, hour, quantity)
     select organization, period, item, date_trunc('hour', occurred_at), sum(quantity) from usage.events
     group by 1, 2, 3, 4 on conflict (organization, period, item, hour) do nothing`,
  );
  await database.query('vacuum analyze usage.hours');
}

/**
 * Creates accounts with usage of the last day of the month before, and forgets that the month was closed. The trial of 30
 * days of every second account has begun with this day, and that of the others has ended before it.
 */
export async function seedClosedMonth(database, accounts) {
  const previous = `${MONTH_START} - interval '1 day'`;
  await database.query('truncate usage.closed_months');
  await database.query(
    `insert into organizations.accounts (organization, created_at)
     select 'account-' || n, case n % 2 when 0 then ${previous} else ${MONTH_START} - interval '31 days' end
     from generate_series(1, $1::int) n on conflict do nothing`,
    [accounts],
  );
  await database.query(
    `insert into usage.hours (organization, period, item, hour, quantity)
     select 'account-' || n, to_char((${previous}) at time zone 'UTC', 'YYYY-MM'), item,
       date_trunc('hour', ${previous}) + hour * interval '1 hour', 5000
     from generate_series(1, $1::int) n, unnest(array['agent-run', 'gateway-call', 'storage']) item,
       generate_series(0, 19) hour on conflict do nothing`,
    [accounts],
  );
  await database.query('vacuum analyze usage.hours');
}
