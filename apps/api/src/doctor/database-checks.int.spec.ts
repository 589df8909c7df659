import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { embeddedServices, freshDatabase, type FreshDatabase } from '@homeport/platform/server/testing';
import pg from 'pg';
import { BlackHole, closedPort, doctorLine } from './testing/doctor-lines';

const ROLE = 'doctor_spec';
const PASSWORD = 'kept-out-of-every-line';

describe('the doctor of the database', () => {
  let fresh: FreshDatabase;
  let hole: BlackHole;
  let closed: number;
  beforeAll(async () => {
    [fresh, hole, closed] = await Promise.all([freshDatabase(), BlackHole.open(), closedPort()]);
    await run(`drop role if exists ${ROLE}`, `create role ${ROLE} login connection limit 8 password '${PASSWORD}'`);
    await run(`drop database if exists doctor_ascii`);
    await run(`create database doctor_ascii template template0 encoding 'SQL_ASCII' locale 'C'`);
  });
  afterAll(async () => {
    await hole.close();
    await run('drop database doctor_ascii');
    await fresh.drop();
    await run(`drop role ${ROLE}`);
  });

  const run = async (...statements: readonly string[]) => {
    const client = new pg.Client({ connectionString: embeddedServices()['DATABASE_URL'] });
    await client.connect();
    for (const statement of statements) await client.query(statement);
    await client.end();
  };
  const urlWith = (change: (url: URL) => void) => {
    const url = new URL(fresh.url);
    change(url);
    return url.href;
  };
  const line = (name: string, DATABASE_URL = fresh.url, more = {}) =>
    doctorLine(name, { ...embeddedServices(), DATABASE_URL, ...more });
  const server = () => `PostgreSQL at ${new URL(fresh.url).host}`;
  const user = () => new URL(fresh.url).username;
  const database = () => new URL(fresh.url).pathname.slice(1);
  const asRole = () =>
    urlWith((url) => {
      [url.username, url.password] = [ROLE, PASSWORD];
    });

  it.each([
    'database',
    'database-version',
    'database-encoding',
    'database-rights',
    'database-sessions',
    'database-clock',
    'session-keys',
    'secrets-keys',
  ])('%s is ok', async (name) => expect(await line(name)).toMatch(new RegExp(`^ok {7}${name}  [A-Z].*\\.$`)));

  it.each<[string, (url: URL) => void, () => string]>([
    [
      'a wrong password',
      (url) => (url.password = PASSWORD),
      () =>
        `${server()} rejects the password of the user ${user()}. Correct the password in DATABASE_URL, or set it: ` +
        `alter role "${user()}" password '…'.`,
    ],
    [
      'a wrong database',
      (url) => (url.pathname = '/wrong'),
      () =>
        `${server()} has no database wrong. Correct DATABASE_URL, or create it: ` +
        `create database "wrong" owner "${user()}".`,
    ],
    [
      'a port without a server',
      (url) => (url.port = `${closed}`),
      () =>
        `PostgreSQL at 127.0.0.1:${closed} refuses connections (ECONNREFUSED). Correct DATABASE_URL, or start the service, ` +
        'and let this machine reach it through firewalls.',
    ],
    [
      'a server that never answers',
      (url) => (url.port = `${hole.port}`),
      () =>
        `PostgreSQL at 127.0.0.1:${hole.port} does not answer (timeout). Correct DATABASE_URL, or start the service, ` +
        'and let this machine reach it through firewalls.',
    ],
    [
      'a server without TLS',
      (url) => (url.search = '?sslmode=verify-full'),
      () =>
        `${server()} does not offer TLS, which sslmode in DATABASE_URL requires. Turn on ssl in PostgreSQL, or remove ` +
        'sslmode from DATABASE_URL if the network to it is trusted.',
    ],
    [
      'a missing root certificate',
      (url) => (url.search = '?sslmode=verify-full&sslrootcert=/missing.pem'),
      () =>
        `${server()} has no such socket, or a file that DATABASE_URL names does not exist (ENOENT). Correct host, ` +
        'sslrootcert, sslcert and sslkey in DATABASE_URL.',
    ],
    [
      'a missing socket',
      (url) => (url.href = `postgres:///${database()}?host=/missing&user=${user()}`),
      () =>
        'PostgreSQL at /missing has no such socket, or a file that DATABASE_URL names does not exist (ENOENT). Correct ' +
        'host, sslrootcert, sslcert and sslkey in DATABASE_URL.',
    ],
    [
      'a missing user',
      (url) => ([url.username, url.password] = ['', '']),
      () => 'DATABASE_URL names no user. Set DATABASE_URL to postgres://<user>:<password>@<host>:5432/<database>.',
    ],
  ])('names %s', async (_, change, text) => {
    expect(await line('database', urlWith(change))).toBe(`fault    database  ${text()}`);
  });

  it('skips the checks that need the database', async () => {
    const url = urlWith((each) => (each.port = `${closed}`));
    expect(await line('database-rights', url)).toBe('skipped  database-rights  It needs database.');
  });

  it('names another encoding', async () => {
    const url = urlWith((each) => (each.pathname = '/doctor_ascii'));
    expect(await line('database-encoding', url)).toBe(
      'fault    database-encoding  The database doctor_ascii has the encoding SQL_ASCII, which cannot store every ' +
        'name. Create another database and set DATABASE_URL to it: ' +
        `create database … template template0 encoding 'UTF8'.`,
    );
  });

  it('names a missing permission', async () => {
    expect(await line('database-rights', asRole())).toBe(
      `fault    database-rights  The user ${ROLE} may not create schemas and tables in the database ${database()}. ` +
        `Let the user own the database: alter database "${database()}" owner to "${ROLE}".`,
    );
  });

  it('compares the pool with the free connections', async () => {
    expect(await line('database-connections', asRole(), { DATABASE_POOL_SIZE: '9' })).toBe(
      'fault    database-connections  PostgreSQL allows 8 connections, and DATABASE_POOL_SIZE is 9 for each instance. ' +
        'Lower DATABASE_POOL_SIZE, or raise max_connections of PostgreSQL and the limits of the role and of the database.',
    );
  });
});
