import { Client } from 'pg';
import type { Config } from '../config';

/** Shorter than that of a check. On a busy machine, this process itself can take seconds. */
const CONNECT_TIMEOUT_MS = 6_000;

/** Where the database is, without the password. */
export interface DatabaseAddress {
  readonly server: string;
  readonly database: string;
  readonly user: string;
}

export function databaseAddressOf({ DATABASE_URL }: Pick<Config, 'DATABASE_URL'>): DatabaseAddress {
  const { hostname, port, pathname, username, searchParams } = new URL(DATABASE_URL);
  const user = decodeURIComponent(username) || (searchParams.get('user') ?? '');
  // As in node-postgres, the parameters have priority.
  const host = searchParams.get('host') || decodeURIComponent(hostname) || 'localhost';
  const usedPort = searchParams.get('port') || port || '5432';
  return {
    // A path is the folder of a socket.
    server: `PostgreSQL at ${host.startsWith('/') ? host : `${host}:${usedPort}`}`,
    database: decodeURIComponent(pathname.slice(1)) || user,
    user,
  };
}

/** Opens one connection for the work, with the parameters that the API sends. */
export async function withDatabase<T>(
  { DATABASE_URL }: Pick<Config, 'DATABASE_URL'>,
  work: (client: Client) => Promise<T>,
): Promise<T> {
  const client = new Client({
    connectionString: DATABASE_URL,
    application_name: 'homeport-doctor',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: CONNECT_TIMEOUT_MS,
    statement_timeout: CONNECT_TIMEOUT_MS,
    lock_timeout: 1_000,
    idle_in_transaction_session_timeout: CONNECT_TIMEOUT_MS,
  });
  // Without a handler, a connection that breaks later would end the process.
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
