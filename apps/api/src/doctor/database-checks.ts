import type { Client } from 'pg';
import type { Config } from '../config';
import { type DatabaseAddress, databaseAddressOf, withDatabase } from './database-connection';
import { type Check, type Explanation, fault, ok, warning } from './check';
import { networkExplanation, unknownFailure } from './network-failures';
import { sharesSessions } from './pooled-sessions';

const MIN_VERSION = 150_000;
/** Logs and expiries compare times of the machines. */
const MAX_CLOCK_DIFFERENCE_MS = 5_000;

export function databaseChecks(config: Pick<Config, 'DATABASE_URL' | 'DATABASE_POOL_SIZE'>): readonly Check[] {
  const address = databaseAddressOf(config);
  const explain = (code: string) => explainDatabase(code, address);
  const query = <Row>(text: string) =>
    withDatabase(config, async (client) => (await client.query(text)).rows[0] as Row);
  const needs = ['database'];
  return [
    {
      name: 'database',
      explain,
      run: async () => {
        await query('select 1');
        return ok(`${address.server} accepts the user ${address.user} for the database ${address.database}.`);
      },
    },
    { name: 'database-version', needs, explain, run: async () => versionFinding(await query(VERSION)) },
    { name: 'database-encoding', needs, explain, run: async () => encodingFinding(await query(VERSION), address) },
    {
      name: 'database-rights',
      needs,
      explain,
      run: async () => {
        await withDatabase(config, tryRights);
        return ok(`The user ${address.user} may create schemas and tables.`);
      },
    },
    { name: 'database-sessions', needs, explain, run: async () => sessionsFinding(await sharesSessions(config)) },
    { name: 'database-clock', needs, explain, run: async () => clockFinding(await clockDifference(config)) },
    {
      name: 'database-connections',
      needs,
      explain,
      run: async () => connectionsFinding(await query(CONNECTIONS), config.DATABASE_POOL_SIZE),
    },
  ];
}

interface VersionRow {
  readonly version: number;
  readonly shown: string;
  readonly encoding: string;
}

const VERSION = `select current_setting('server_version_num')::int as version,
  current_setting('server_version') as shown, current_setting('server_encoding') as encoding`;

export function versionFinding({ version, shown }: Pick<VersionRow, 'version' | 'shown'>) {
  if (version >= MIN_VERSION) return ok(`PostgreSQL has the version ${shown}.`);
  return fault(`PostgreSQL has the version ${shown}.`, 'Upgrade the server to PostgreSQL 15 or later.');
}

export function encodingFinding({ encoding }: Pick<VersionRow, 'encoding'>, { database }: DatabaseAddress) {
  if (encoding === 'UTF8') return ok('The database has the encoding UTF8.');
  const create = `create database … template template0 encoding 'UTF8'`;
  return fault(
    `The database ${database} has the encoding ${encoding}, which cannot store every name.`,
    `Create another database and set DATABASE_URL to it: ${create}.`,
  );
}

/** The same as the migrations do: their table is in `public`, the tables of the domains are in separate schemas. */
async function tryRights(client: Client): Promise<void> {
  await client.query('begin');
  try {
    await client.query('create table public.homeport_doctor (id integer)');
    await client.query('create schema homeport_doctor');
    await client.query('create table homeport_doctor.probe (id integer)');
  } finally {
    await client.query('rollback');
  }
}

export function sessionsFinding(isShared: boolean) {
  if (!isShared) return ok('Connections keep their sessions, so that locks and notifications work.');
  return fault(
    'A pooler in front of PostgreSQL shares sessions between connections, which loses locks and notifications.',
    'Set DATABASE_URL to PostgreSQL itself, or set the pooler to session mode (pool_mode = session in PgBouncer).',
  );
}

async function clockDifference(config: Pick<Config, 'DATABASE_URL'>): Promise<number> {
  return withDatabase(config, async (client) => {
    const before = Date.now();
    const { rows } = await client.query<{ now: string }>(
      'select (extract(epoch from clock_timestamp()) * 1000)::bigint as now',
    );
    return Number(rows[0]?.now) - (before + Date.now()) / 2;
  });
}

/** @param differenceMs positive when the clock of PostgreSQL is ahead. */
export function clockFinding(differenceMs: number) {
  if (Math.abs(differenceMs) <= MAX_CLOCK_DIFFERENCE_MS)
    return ok('The clocks of PostgreSQL and of this machine agree.');
  const side = differenceMs > 0 ? 'ahead of' : 'behind';
  return warning(
    `The clock of PostgreSQL is ${Math.round(Math.abs(differenceMs) / 1_000)} s ${side} the clock of this machine.`,
    'Run NTP on both machines.',
  );
}

export interface ConnectionsRow {
  /** Connections that this user may have at most. */
  readonly most: number;
  /** Connections of all users. */
  readonly used: number;
}

/** -1 stands for no limit of the role and of the database. */
const CONNECTIONS = `select least(
    current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
      - coalesce(current_setting('reserved_connections', true), '0')::int,
    nullif(r.rolconnlimit, -1), nullif(d.datconnlimit, -1)) as most,
  (select count(*)::int from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()
    and coalesce(application_name, '') <> 'homeport-doctor') as used
  from pg_roles r, pg_database d where r.rolname = current_user and d.datname = current_database()`;

export function connectionsFinding({ most, used }: ConnectionsRow, poolSize: number) {
  const raise = 'or raise max_connections of PostgreSQL and the limits of the role and of the database';
  if (most < poolSize) {
    return fault(
      `PostgreSQL allows ${most} connections, and DATABASE_POOL_SIZE is ${poolSize} for each instance.`,
      `Lower DATABASE_POOL_SIZE, ${raise}.`,
    );
  }
  const free = Math.max(0, most - used);
  const detail = `PostgreSQL has ${free} of ${most} connections free, and DATABASE_POOL_SIZE is ${poolSize} for each instance.`;
  if (free >= poolSize) return ok(detail);
  return warning(detail, `Unless this instance holds the others already, lower DATABASE_POOL_SIZE, ${raise}.`);
}

const NO_USER: Explanation = {
  detail: 'DATABASE_URL names no user.',
  remedy: 'Set DATABASE_URL to postgres://<user>:<password>@<host>:5432/<database>.',
};

export function explainDatabase(code: string, { server, database, user }: DatabaseAddress): Explanation {
  if (user === '' && (code === '28P01' || code === '28000')) return NO_USER;
  const known: Readonly<Record<string, Explanation>> = {
    '28P01': {
      detail: `${server} rejects the password of the user ${user}.`,
      remedy: `Correct the password in DATABASE_URL, or set it: alter role "${user}" password '…'.`,
    },
    '28000': {
      detail: `${server} does not let the user ${user} in.`,
      remedy:
        'Create the role, let it log in, and add a line to pg_hba.conf for it, the database and this address. If the server accepts encrypted connections only, add ?sslmode=verify-full to DATABASE_URL.',
    },
    '3D000': {
      detail: `${server} has no database ${database}.`,
      remedy: `Correct DATABASE_URL, or create it: create database "${database}" owner "${user}".`,
    },
    '53300': {
      detail: `${server} has no connection left.`,
      remedy: 'Lower DATABASE_POOL_SIZE of all instances, or raise max_connections of PostgreSQL.',
    },
    '57P03': { detail: `${server} is starting or stopping.`, remedy: 'Wait until it accepts connections.' },
    '42501': {
      detail: `The user ${user} may not create schemas and tables in the database ${database}.`,
      remedy: `Let the user own the database: alter database "${database}" owner to "${user}".`,
    },
    'tls-unsupported': {
      detail: `${server} does not offer TLS, which sslmode in DATABASE_URL requires.`,
      remedy: 'Turn on ssl in PostgreSQL, or remove sslmode from DATABASE_URL if the network to it is trusted.',
    },
    ENOENT: {
      detail: `${server} has no such socket, or a file that DATABASE_URL names does not exist (ENOENT).`,
      remedy: 'Correct host, sslrootcert, sslcert and sslkey in DATABASE_URL.',
    },
    '08P01': {
      detail: `A pooler at ${server.replace('PostgreSQL at ', '')} rejects a parameter of the connection.`,
      remedy:
        'Set DATABASE_URL to PostgreSQL itself. Or use PgBouncer in session mode, with ignore_startup_parameters = statement_timeout,lock_timeout,idle_in_transaction_session_timeout.',
    },
  };
  return (
    known[code] ?? networkExplanation(code, server, 'DATABASE_URL') ?? unknownFailure(code, server, 'DATABASE_URL')
  );
}
