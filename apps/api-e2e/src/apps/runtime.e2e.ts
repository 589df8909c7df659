import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { App, LogLine, LogPage, RuntimeDetails } from '@homeport/apps/contracts';
import { call, callJson, signIn } from '../homeport';
import { DeployClient } from './deploy-client';
import { FakeRuntime } from './fake-runtime';

const DEPLOY = randomUUID();
const INSTANCE = randomUUID();

describe('the runtime of an app', () => {
  let token: string;
  let foreign: string;
  let runtime: FakeRuntime;
  let deploys: DeployClient;

  beforeAll(async () => {
    const [first, second] = await Promise.all([signIn('ada'), signIn('hank')]);
    [token, foreign] = [first.token, second.token];
    deploys = new DeployClient(token);
    runtime = await new FakeRuntime().open();
  });

  afterAll(() => runtime?.close());

  const get = (path: string, caller = token) => call(path, { token: caller });
  const bodyOf = async <T>(path: string) => (await (await get(path)).json()) as T;
  const codeOf = async (response: Response) => [response.status, ((await response.json()) as { code?: string }).code];
  const write = async (app: App, line: string, { deploy = DEPLOY, at = new Date() } = {}) => {
    const [row] = await runtime.query<{ id: string }>(
      `insert into runtime.log_lines (app_id, deploy_id, instance_id, at, stream, line)
       values ($1, $2, $3, $4, 'stdout', $5) returning id`,
      [app.id, deploy, INSTANCE, at, line],
    );
    await runtime.query(`select pg_notify('homeport_runtime', 'log:' || $1)`, [app.id]);
    return row?.id ?? '';
  };
  const linesOf = ({ items }: LogPage) => items.map(({ line }) => line);

  it('shows the state and the instances that a runtime reports', async () => {
    const app = await deploys.register('Runtime', 'ssr');
    expect(app.runtime).toEqual({ state: 'none', instances: 0 });
    expect((await deploys.register('Static')).runtime).toBeUndefined();
    const path = `/api/apps/${app.id}/runtime`;
    expect(await bodyOf(path)).toMatchObject({ state: 'none', reason: null, instances: [] });
    await runtime.query(
      `insert into runtime.app_states (app_id, state, reason) values ($1, 'crash-loop', 'It exits.')`,
      [app.id],
    );
    await runtime.query(
      `insert into runtime.instances (id, runtime_id, app_id, deploy_id, state, started_at, memory_bytes, requests, seen_at)
       values ($1, $2, $3, $4, 'ready', now(), 5000000000, 7, now()),
         (gen_random_uuid(), $2, $3, $4, 'ready', now(), 0, 0, now() - interval '31 seconds')`,
      [INSTANCE, randomUUID(), app.id, DEPLOY],
    );
    expect(await bodyOf<RuntimeDetails>(path)).toMatchObject({
      state: 'crash-loop',
      reason: 'It exits.',
      instances: [{ id: INSTANCE, deploy_id: DEPLOY, state: 'ready', memory_bytes: 5_000_000_000, requests: 7 }],
      limits: { instances: 2, memory_bytes: 268_435_456 },
    });
    const shown = { state: 'crash-loop', instances: 1, reason: 'It exits.' };
    expect((await bodyOf<App>(`/api/apps/${app.id}`)).runtime).toEqual(shown);
    const { items } = await bodyOf<{ items: App[] }>('/api/apps');
    expect(items.find(({ id }) => id === app.id)?.runtime).toEqual(shown);
  });

  it('restarts', async () => {
    const app = await deploys.register('Restart', 'ssr');
    const response = await call(`/api/apps/${app.id}/runtime/restart`, { token, method: 'POST' });
    expect([response.status, await response.text()]).toEqual([202, '']);
    const [row] = await runtime.query('select runtime_version from apps.apps where id = $1', [app.id]);
    expect(row).toEqual({ runtime_version: 2 });
  });

  it('returns its log page by page', async () => {
    const app = await deploys.register('Log', 'ssr');
    const path = `/api/apps/${app.id}/logs`;
    expect(await bodyOf<LogPage>(path)).toEqual({ items: [], next_cursor: null });
    const other = randomUUID();
    const began = new Date(Date.now() - 60_000);
    for (let i = 0; i < 5; i += 1)
      await write(app, `line ${i}`, { at: new Date(began.getTime() + i * 1_000), ...(i === 4 && { deploy: other }) });
    const last = await bodyOf<LogPage>(`${path}?limit=2`);
    expect([linesOf(last), last.next_cursor]).toEqual([['line 3', 'line 4'], null]);
    expect(last.items[1]).toMatchObject({ stream: 'stdout', deploy_id: other, instance_id: INSTANCE });
    const since = encodeURIComponent(began.toISOString());
    const first = await bodyOf<LogPage>(`${path}?since=${since}&limit=2`);
    expect([linesOf(first), first.next_cursor]).toEqual([['line 1', 'line 2'], first.items[1]?.id]);
    const next = await bodyOf<LogPage>(`${path}?cursor=${first.next_cursor}&limit=2`);
    expect([linesOf(next), next.next_cursor]).toEqual([['line 3', 'line 4'], null]);
    const former = await bodyOf<LogPage>(`${path}?before=${last.items[0]?.id}&limit=2`);
    expect([linesOf(former), former.next_cursor]).toEqual([['line 1', 'line 2'], null]);
    expect(linesOf(await bodyOf<LogPage>(`${path}?before=${former.items[0]?.id}`))).toEqual(['line 0']);
    expect(linesOf(await bodyOf<LogPage>(`${path}?deploy=${other}`))).toEqual(['line 4']);
    expect(linesOf(await bodyOf<LogPage>(`${path}?deploy=nonsense`))).toEqual([]);
  });

  it('streams its log, and resumes after the last line that arrived', async () => {
    const app = await deploys.register('Follow', 'ssr');
    const [first] = [await write(app, 'before'), await write(app, 'also before')];
    const follow = async (headers: Record<string, string>, count: number, afterOpen?: () => Promise<unknown>) => {
      const response = await call(`/api/apps/${app.id}/logs`, {
        token,
        headers: { accept: 'text/event-stream', ...headers },
      });
      expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
      await afterOpen?.();
      const lines: LogLine[] = [];
      let text = '';
      for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
        text += Buffer.from(chunk).toString();
        const events = [...text.matchAll(/^id: (\d+)\ndata: (.*)\n\n/gm)];
        lines.splice(0, lines.length, ...events.map(([, , data = '']) => JSON.parse(data) as LogLine));
        if (lines.length >= count) break;
      }
      return lines.map(({ line }) => line);
    };
    expect(await follow({}, 3, () => write(app, 'after'))).toEqual(['before', 'also before', 'after']);
    expect(await follow({ 'last-event-id': first }, 2)).toEqual(['also before', 'after']);
  });

  it.each(['?since=yesterday', '?limit=0', '?cursor=x', '?before=x', '?other=1', '?since='])(
    'rejects %s',
    async (query) => {
      const app = await deploys.register('Rejects', 'ssr');
      expect(await codeOf(await get(`/api/apps/${app.id}/logs${query}`))).toEqual([400, 'platform.invalid-request']);
    },
  );

  it('belongs to its organization, and needs the scopes', async () => {
    const app = await deploys.register('Mine', 'ssr');
    const paths = ['runtime', 'logs'].map((name) => `/api/apps/${app.id}/${name}`);
    for (const path of paths) expect(await codeOf(await get(path, foreign))).toEqual([404, 'apps.not-found']);
    const restart = await call(`/api/apps/${app.id}/runtime/restart`, { token: foreign, method: 'POST' });
    expect(await codeOf(restart)).toEqual([404, 'apps.not-found']);
    const created = await callJson('/api/tokens', token, 'POST', { name: 'logs', scopes: ['logs:read'] });
    const reader = ((await created.json()) as { token: string }).token;
    for (const path of paths) expect((await get(path, reader)).status).toBe(200);
    const refused = await call(`/api/apps/${app.id}/runtime/restart`, { token: reader, method: 'POST' });
    expect(await codeOf(refused)).toEqual([403, 'identity.scope-required']);
  });
});
