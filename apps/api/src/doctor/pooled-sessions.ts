import type { Client } from 'pg';
import type { Config } from '../config';
import { withDatabase } from './database-connection';

/** Other clients of a pooler may take a session in the middle of one attempt. */
const ATTEMPTS = 20;
const PID = 'select pg_backend_pid() as pid';

/**
 * Whether a pooler gives the session of one connection to another one. A connection that is idle outside a transaction
 * keeps its session; a pooler in transaction mode lends it to the transaction that another one begins.
 */
export async function sharesSessions(config: Pick<Config, 'DATABASE_URL'>): Promise<boolean> {
  return withDatabase(config, (idle) =>
    withDatabase(config, async (other) => {
      for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
        if (await areShared(idle, other)) return true;
      }
      return false;
    }),
  );
}

async function areShared(idle: Client, other: Client): Promise<boolean> {
  const own = await pidOf(idle);
  await other.query('begin');
  try {
    return (await pidOf(other)) === own || (await pidOf(idle)) !== own;
  } finally {
    await other.query('rollback');
  }
}

async function pidOf(client: Client): Promise<number> {
  const { rows } = await client.query<{ pid: number }>(PID);
  return (rows[0] as { pid: number }).pid;
}
