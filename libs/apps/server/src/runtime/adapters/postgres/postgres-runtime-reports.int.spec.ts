import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createDatabase, type Database, migrate } from '@homeport/platform/server/database';
import { type FreshDatabase, freshDatabase } from '@homeport/platform/server/testing';
import { appsDatabaseOptions } from '../../../testing/apps-database';
import { PostgresRuntimeReports } from './postgres-runtime-reports';

let fresh: FreshDatabase;
let database: Database;
let reports: PostgresRuntimeReports;

beforeAll(async () => {
  fresh = await freshDatabase();
  await migrate(appsDatabaseOptions(fresh.url));
  database = createDatabase(appsDatabaseOptions(fresh.url));
  await database.open();
  reports = new PostgresRuntimeReports(database);
});

afterAll(async () => {
  await database.close();
  await fresh.drop();
});

async function register(subdomain: string): Promise<string> {
  const [app] = await database.source.query<[{ id: string }]>(
    `insert into apps.apps (organization, name, subdomain, type, created_by) values ('o', 'n', $1, 'ssr', 'ada')
     returning id`,
    [subdomain],
  );
  return app.id;
}

async function write(appId: string, line: string, daysAgo = 0): Promise<void> {
  await database.source.query(
    `insert into runtime.log_lines (app_id, deploy_id, instance_id, at, stream, line)
     values ($1, $2, $2, now() - $3 * interval '1 day', 'stdout', $4)`,
    [appId, randomUUID(), daysAgo, line],
  );
}

const linesOf = async (appId: string) => (await reports.lines(appId, {}, 100)).map(({ line }) => line);

it('removes lines that are old, too many, or of deleted apps', async () => {
  const [small, large, deleted] = [await register('small'), await register('large'), randomUUID()];
  for (const [line, days] of [['old', 8] as const, ['kept', 6] as const]) await write(small, line, days);
  for (const line of ['aaaa', 'bbbb', 'cccc', 'dd']) await write(large, line);
  await write(deleted, 'left');
  expect(await reports.removeLines({ days: 7, bytes: 10 })).toBe(3);
  expect(await linesOf(small)).toEqual(['kept']);
  expect(await linesOf(large)).toEqual(['bbbb', 'cccc', 'dd']);
  expect(await linesOf(deleted)).toEqual([]);
  expect(await reports.removeLines({ days: 7, bytes: 10 })).toBe(0);
});
