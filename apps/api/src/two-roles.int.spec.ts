import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createDatabase, migrate } from '@homeport/platform/server/database';
import { embeddedServices, freshDatabase, type FreshDatabase } from '@homeport/platform/server/testing';
import pg from 'pg';
import { databaseOptions } from './database-options';

const OWNER = `rotation_${randomBytes(4).toString('hex')}`;
const PASSWORD = 'a-password';
const page = readFileSync(join(import.meta.dirname, '../../../docs/key-rotation.md'), 'utf8');
/** The statements of the page, with other names. */
const STATEMENTS = (/```sql\n([^]*?)```/.exec(page)?.[1] ?? '')
  .replaceAll(/'<.*?>'/g, `'${PASSWORD}'`)
  .replaceAll('homeport', OWNER);

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
    await admin(STATEMENTS);
  });
  afterAll(async () => {
    await fresh.drop();
    const url = embeddedServices()['DATABASE_URL'];
    await admin(`drop role ${OWNER}_a, ${OWNER}_b, ${OWNER}`, url);
  });

  it('serves with both while instances change from one to the other, and without the first one after that', async () => {
    expect(await migrate(optionsOf(`${OWNER}_a`))).not.toEqual([]);
    expect(await migrate(optionsOf(`${OWNER}_b`))).toEqual([]);
    const owners = `select distinct tableowner from pg_tables where schemaname in ('apps', 'identity', 'public')`;
    expect(await admin(owners)).toEqual([{ tableowner: OWNER }]);
    const [before, after] = await Promise.all(
      ['a', 'b'].map((role) => createDatabase(optionsOf(`${OWNER}_${role}`)).open()),
    );
    const write = (database = after) =>
      database?.run((manager) => manager.query('delete from apps.acme_accounts')) as Promise<unknown>;
    await Promise.all([write(before), write(after)]);
    const users = `select distinct usename from pg_stat_activity where datname = current_database()
      and application_name = 'homeport-api' order by 1`;
    expect(await admin(users)).toEqual([{ usename: `${OWNER}_a` }, { usename: `${OWNER}_b` }]);
    await before?.close();
    await admin(`alter role ${OWNER}_a nologin`);
    // A server process ends some time after its connection.
    while ((await admin(users)).length > 1);
    expect(await admin(users)).toEqual([{ usename: `${OWNER}_b` }]);
    await expect(createDatabase(optionsOf(`${OWNER}_a`)).open()).rejects.toMatchObject({ code: '28000' });
    await write();
    await after?.close();
  });
});
