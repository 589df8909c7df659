import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { migrate } from '@homeport/platform/server/database';
import { type FreshDatabase, freshDatabase } from '@homeport/platform/server/testing';
import pg from 'pg';
import { appsDatabaseOptions } from '../../../../testing/apps-database';
import { NumberedDeploys1764800000200 } from './1764800000200-numbered-deploys';

let fresh: FreshDatabase;
let client: pg.Client;

beforeAll(async () => {
  fresh = await freshDatabase();
  client = new pg.Client({ connectionString: fresh.url });
  await client.connect();
});

afterAll(async () => {
  await client.end();
  await fresh.drop();
});

it('numbers existing deploys in the order in which they began, and new ones after them', async () => {
  const options = appsDatabaseOptions(fresh.url);
  const former = options.migrations.filter((migration) => migration !== NumberedDeploys1764800000200);
  await migrate({ ...options, migrations: former });
  await client.query(
    `with app as (
       insert into apps.apps (organization, name, subdomain, type, created_by)
       values ('o', 'n', 'shop', 'static', 'ada') returning id)
     insert into apps.deploys (app_id, organization, created_by, created_at, lease_until)
     select id, 'o', uploader, now() + days * interval '1 day', now()
     from app, (values ('third', 3), ('first', 1), ('second', 2)) as upload (uploader, days)`,
  );
  await migrate(options);
  // As an instance of the previous version does.
  await client.query(
    `insert into apps.deploys (app_id, organization, created_by, lease_until)
     select id, 'o', 'fourth', now() from apps.apps`,
  );
  const { rows } = await client.query<{ created_by: string; number: number }>(
    'select created_by, number from apps.deploys order by number',
  );
  expect(rows.map((row) => [row.created_by, row.number])).toEqual([
    ['first', 1],
    ['second', 2],
    ['third', 3],
    ['fourth', 4],
  ]);
});
