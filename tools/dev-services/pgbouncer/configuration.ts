export interface PgbouncerPlan {
  /** Where PostgreSQL is. */
  host: string;
  port: number;
  database: string;
  mode: 'session' | 'transaction';
  /** The file of users and passwords. */
  usersFile: string;
}

/** Returns the settings that Homeport needs; a spec compares them with docs/operations.md. */
export function settingsOf({ host, port, database, mode, usersFile }: PgbouncerPlan): string {
  return `[databases]
${database} = host=${host} port=${port}
[pgbouncer]
auth_type = scram-sha-256
auth_file = ${usersFile}
pool_mode = ${mode}
default_pool_size = 60
ignore_startup_parameters = statement_timeout,lock_timeout,idle_in_transaction_session_timeout
`;
}
