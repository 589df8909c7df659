import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { appsDatabaseOptions } from '@homeport/apps/server/testing';
import { migrate } from '@homeport/platform/server/database';
import { PostgresPool } from '@homeport/platform/server/postgres';
import { freshDatabase } from '@homeport/platform/server/testing';
import { PostgresRuntimeRecords } from './postgres-runtime-records';

describe('PostgresRuntimeRecords', () => {
  let fresh: Awaited<ReturnType<typeof freshDatabase>>;
  let pool: PostgresPool;

  beforeAll(async () => {
    fresh = await freshDatabase();
    await migrate(appsDatabaseOptions(fresh.url));
    pool = new PostgresPool({ url: fresh.url, poolSize: 2, applicationName: 'homeport-test' });
  });
  afterAll(async () => {
    await pool.close();
    await fresh.drop();
  });

  const open = () => new PostgresRuntimeRecords(pool, randomUUID());
  const instance = (appId: string, id: string = randomUUID()) =>
    ({
      id,
      appId,
      deployId: randomUUID(),
      state: 'ready',
      startedAt: new Date(),
      memoryBytes: 1,
      requests: 2,
    }) as const;
  const idsOf = async (appId: string) =>
    (await pool.query<{ id: string }>('select id from runtime.instances where app_id = $1', [appId])).map(
      ({ id }) => id,
    );
  const stateOf = async (appId: string) =>
    (await pool.query<{ state: string }>('select state from runtime.app_states where app_id = $1', [appId]))[0]?.state;

  const createDeploy = async (): Promise<string> => {
    const [app] = await pool.query<{ id: string }>(
      `insert into apps.apps (organization, name, subdomain, type, created_by) values ('o', 'n', $1, 'ssr', 'ada')
       returning id`,
      [randomUUID()],
    );
    const [deploy] = await pool.query<{ id: string }>(
      `insert into apps.deploys (app_id, organization, created_by, lease_until) values ($1, 'o', 'ada', now())
       returning id`,
      [app?.id],
    );
    return deploy?.id ?? '';
  };

  it('replaces the instances of this runtime alone', async () => {
    const [one, other] = [open(), open()];
    const app = randomUUID();
    const [first, second] = [instance(app), instance(app)];
    await one.saveInstances([first]);
    await other.saveInstances([second]);
    await one.saveInstances([]);
    expect(await idsOf(app)).toEqual([second.id]);
  });

  it('keeps an app ready while another runtime has an instance of it', async () => {
    const [one, other] = [open(), open()];
    const app = randomUUID();
    await one.saveStates([{ appId: app, state: 'ready' }]);
    await other.saveInstances([instance(app)]);
    await one.saveStates([{ appId: app, state: 'idle' }]);
    expect(await stateOf(app)).toBe('ready');
    await other.saveInstances([]);
    await one.saveStates([{ appId: app, state: 'idle' }]);
    expect(await stateOf(app)).toBe('idle');
  });

  it('removes what a killed runtime left', async () => {
    const [killed, next] = [open(), open()];
    const app = randomUUID();
    await killed.saveInstances([instance(app)]);
    await killed.saveStates([{ appId: app, state: 'ready' }]);
    await next.removeLost();
    expect([(await idsOf(app)).length, await stateOf(app)]).toEqual([1, 'ready']);
    await pool.query(`update runtime.instances set seen_at = now() - interval '31 seconds' where app_id = $1`, [app]);
    await next.removeLost();
    expect([await idsOf(app), await stateOf(app)]).toEqual([[], 'idle']);
  });

  it('ignores the start check of a deploy that was deleted', async () => {
    await open().record({ deployId: randomUUID(), passed: true, log: [] });
  });

  it('stores lines in their order', async () => {
    const line = { appId: randomUUID(), deployId: randomUUID(), instanceId: randomUUID(), at: new Date() };
    const streams = ['stdout', 'stderr', 'system'] as const;
    await open().append(streams.map((stream) => ({ ...line, stream, line: `a ${stream}` })));
    const sql = 'select stream, line from runtime.log_lines where app_id = $1 order by id';
    expect(await pool.query(sql, [line.appId])).toEqual(streams.map((stream) => ({ stream, line: `a ${stream}` })));
  });

  describe('with characters that PostgreSQL does not store', () => {
    const LINES = ['a\0b', '\uDE00 half a character', 'half a character \uD83D', '😀'];
    const STORED = ['a\uFFFDb', '\uFFFD half a character', 'half a character \uFFFD', '😀'];

    it('stores the lines of a log', async () => {
      const line = { appId: randomUUID(), deployId: randomUUID(), instanceId: randomUUID(), at: new Date() };
      await open().append(LINES.map((text) => ({ ...line, stream: 'stdout', line: text })));
      const sql = 'select line from runtime.log_lines where app_id = $1 order by id';
      expect(await pool.query(sql, [line.appId])).toEqual(STORED.map((text) => ({ line: text })));
    });

    it('stores the start check of a deploy', async () => {
      const deployId = await createDeploy();
      await open().record({ deployId, passed: false, reason: `it wrote ${LINES[0]}`, log: LINES });
      const sql = 'select reason, log from runtime.start_checks where deploy_id = $1';
      expect(await pool.query(sql, [deployId])).toEqual([{ reason: `it wrote ${STORED[0]}`, log: STORED }]);
    });
  });
});
