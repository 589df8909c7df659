import { queryOnce } from '../reliability/query-once';

/**
 * Moves the clock of a database: new connections find this function before that of PostgreSQL.
 * @param url of a database that no other test uses.
 */
export async function shiftDatabaseClock(url: string, ms: number): Promise<void> {
  await queryOnce(
    url,
    `create or replace function public.clock_timestamp() returns timestamptz language sql volatile as
     $$ select pg_catalog.clock_timestamp() + interval '${ms} milliseconds' $$`,
  );
  const database = new URL(url).pathname.slice(1);
  await queryOnce(url, `alter database "${database}" set search_path = public, pg_catalog`);
}
