import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createDatabase, type Database, migrate } from '@homeport/platform/server/database';
import { embeddedServices, freshDatabase, type FreshDatabase } from '@homeport/platform/server/testing';
import pg from 'pg';
import { databaseOptions } from './database-options';

const OWNER = `rotation_${randomBytes(4).toString('hex')}`;
const PASSWORD = 'a-password';
const page = readFileSync(join(import.meta.dirname, '../../../docs/key-rotation.md'), 'utf8');
/** The statements of the page in their order, with other names. */
const [CREATE = '', ENABLE_B = '', CONNECTIONS = '', DISABLE_A = ''] = [...page.matchAll(/```sql\n([^]*?)```/g)].map(
  ([, sql = '']) => sql.replaceAll(/'<.*?>'/g, `'${PASSWORD}'`).replaceAll(/\bhomeport(?=_[ab]|[; ])/g, OWNER),
);
const inOtherDirection = (sql: string) =>
  sql.replaceAll(/_([ab])\b/g, (_, role: string) => (role === 'a' ? '_b' : '_a'));

describe('the rotation of the database password with two roles', () => {
  let fresh: FreshDatabase;
  const admin = async <Row>(sql: string, url = fresh.url) => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
      return (await client.query(sql)).rows as Row[];
    } finally {
      await client.end();
    }
  };
  const optionsOf = (role: string) => {
    const url = new URL(fresh.url);
    [url.username, url.password] = [role, PASSWORD];
    return databaseOptions({ DATABASE_URL: url.href, DATABASE_POOL_SIZE: 2 });
  };

  beforeAll(async () => {
    fresh = await freshDatabase();
    await admin(`create role ${OWNER}`);
    await admin(`alter database ${new URL(fresh.url).pathname.slice(1)} owner to ${OWNER}`);
    await admin(CREATE);
  });
  afterAll(async () => {
    await fresh.drop();
    const url = embeddedServices()['DATABASE_URL'];
    await admin(`drop role ${OWNER}_a, ${OWNER}_b, ${OWNER}`, url);
  });

  const users = async () => {
    const sql = CONNECTIONS.replace("'homeport'", 'current_database()');
    const rows = await admin<{ usename: string; application_name: string }>(sql);
    const ours = rows.filter(({ application_name }) => application_name === 'homeport-api');
    return ours.map(({ usename }) => usename).sort();
  };
  const open = (role: string) => createDatabase(optionsOf(`${OWNER}_${role}`)).open();
  const write = (database: Database) =>
    database.run((manager) => manager.query('delete from apps.acme_accounts')) as Promise<unknown>;

  /** Changes the role as the page says, while an instance with each of them serves. */
  async function rotate([from, to]: readonly [string, string], sqlOf: (sql: string) => string) {
    const before = await open(from);
    await admin(sqlOf(ENABLE_B));
    const after = await open(to);
    await Promise.all([write(before), write(after)]);
    expect(await users()).toEqual([`${OWNER}_a`, `${OWNER}_b`]);
    await before.close();
    // A server process ends some time after its connection.
    while ((await users()).length > 1);
    expect(await users()).toEqual([`${OWNER}_${to}`]);
    await admin(sqlOf(DISABLE_A));
    await expect(open(from)).rejects.toMatchObject({ code: '28000' });
    await write(after);
    await after.close();
    while ((await users()).length > 0);
  }

  it('creates all tables for the owner', async () => {
    expect(await migrate(optionsOf(`${OWNER}_a`))).not.toEqual([]);
    expect(await migrate(optionsOf(`${OWNER}_b`))).toEqual([]);
    const owners = `select distinct tableowner from pg_tables where schemaname in ('apps', 'identity', 'public')`;
    expect(await admin(owners)).toEqual([{ tableowner: OWNER }]);
  });

  it('serves with both while instances change from one role to the other, and then back', async () => {
    await rotate(['a', 'b'], (sql) => sql);
    await rotate(['b', 'a'], inOtherDirection);
  });
});
