import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { migrate } from '@homeport/platform/server/database';
import { type FreshDatabase, freshDatabase } from '@homeport/platform/server/testing';
import pg from 'pg';
import { appsDatabaseOptions } from '../../../../testing/apps-database';

const PLAN = { framework: 'node', kind: 'script', entry: 'server.js', environment: {} };

let fresh: FreshDatabase;
let client: pg.Client;
let notifications: string[];
let app: string;
let deploy: string;

beforeAll(async () => {
  fresh = await freshDatabase();
  client = new pg.Client({ connectionString: fresh.url });
  await client.connect();
  client.on('notification', ({ channel, payload }) => notifications.push(`${channel} ${payload}`));
  await migrate(appsDatabaseOptions(fresh.url));
  app = await idOf(
    `insert into apps.apps (organization, name, subdomain, type, created_by) values ('o', 'n', 'shop', 'ssr', 'ada')
     returning id`,
  );
  deploy = await idOf(
    `insert into apps.deploys (app_id, organization, created_by, lease_until) values ($1, 'o', 'ada', now())
     returning id`,
    [app],
  );
  await client.query('listen homeport_runtime');
  await client.query('listen homeport_sites');
});

afterAll(async () => {
  await client.end();
  await fresh.drop();
});

it('notifies runtimes and edges of what concerns them', async () => {
  const preview = `homeport_sites pv--${deploy.replaceAll('-', '')}`;
  const startingDeploy = [`update apps.deploys set status = 'starting', server = $2 where id = $1`, [deploy, PLAN]];
  expect(await notificationsOf(...(startingDeploy as [string, unknown[]]))).toEqual([
    `homeport_runtime starting:${deploy}`,
  ]);
  expect(
    await notificationsOf('insert into runtime.start_checks (deploy_id, passed) values ($1, true)', [deploy]),
  ).toEqual([`homeport_runtime checked:${deploy}`]);
  expect(
    await notificationsOf(
      `update apps.deploys set status = 'ready', ready_at = now(), lease_until = null where id = $1`,
      [deploy],
    ),
  ).toEqual(expect.arrayContaining([`homeport_runtime app:${app}`, preview]));
  expect(
    await notificationsOf('update apps.apps set runtime_version = runtime_version + 1 where id = $1', [app]),
  ).toEqual(expect.arrayContaining([`homeport_runtime app:${app}`, 'homeport_sites shop', preview]));
  expect(await notificationsOf(`insert into runtime.app_states (app_id, state) values ($1, 'ready')`, [app])).toEqual([
    `homeport_runtime state:${app}`,
  ]);
});

it('rejects a server that starts without a plan', async () => {
  const other = await idOf(
    `insert into apps.deploys (app_id, organization, created_by, lease_until) values ($1, 'o', 'ada', now())
     returning id`,
    [app],
  );
  const start = client.query(`update apps.deploys set status = 'starting' where id = $1`, [other]);
  await expect(start).rejects.toThrow('deploys_server_check');
});

async function notificationsOf(text: string, values: unknown[]): Promise<readonly string[]> {
  notifications = [];
  await client.query(text, values);
  // Answered after the notifications of the statement before.
  await client.query('select 1');
  return notifications;
}

async function idOf(text: string, values: unknown[] = []): Promise<string> {
  const { rows } = await client.query<{ id: string }>(text, values);
  return (rows[0] as { id: string }).id;
}
