import type { Client } from 'pg';
import type { Config } from '../config';
import { withDatabase } from './database-connection';

/** More connections than that at once prove nothing: a pooler that shares sessions reuses the first ones. */
const OTHERS = 3;
const PID = 'select pg_backend_pid() as pid';

/**
 * Whether a pooler gives the session of one connection to another one. A connection that is idle outside a transaction
 * keeps its session; a pooler in transaction mode lends it to the transactions that others start meanwhile.
 */
export async function sharesSessions(config: Pick<Config, 'DATABASE_URL'>): Promise<boolean> {
  return withDatabase(config, async (idle) => {
    const own = await pidOf(idle);
    return withTransactions(config, OTHERS, async (others) => others.includes(own) || (await pidOf(idle)) !== own);
  });
}

/** Holds transactions open on other connections. @param work gets the ids of their sessions. */
async function withTransactions(
  config: Pick<Config, 'DATABASE_URL'>,
  count: number,
  work: (pids: readonly number[]) => Promise<boolean>,
  pids: readonly number[] = [],
): Promise<boolean> {
  if (count === 0) return work(pids);
  return withDatabase(config, async (client) => {
    await client.query('begin');
    const isShared = await withTransactions(config, count - 1, work, [...pids, await pidOf(client)]);
    await client.query('rollback');
    return isShared;
  });
}

async function pidOf(client: Client): Promise<number> {
  const { rows } = await client.query<{ pid: number }>(PID);
  return (rows[0] as { pid: number }).pid;
}
