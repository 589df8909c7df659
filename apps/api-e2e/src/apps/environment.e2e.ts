import { createDecipheriv } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { App, EnvironmentVariable } from '@homeport/apps/contracts';
import { call, callJson, settings, signIn } from '../homeport';
import { DeployClient } from './deploy-client';
import { FakeRuntime } from './fake-runtime';

describe('the environment of an app', () => {
  let token: string;
  let foreign: string;
  let database: FakeRuntime;
  let app: App;

  beforeAll(async () => {
    const [first, second] = await Promise.all([signIn('ada'), signIn('hank')]);
    [token, foreign] = [first.token, second.token];
    database = await new FakeRuntime().open();
    app = await new DeployClient(token).register('Environment', 'ssr');
  });

  afterAll(() => database?.close());

  const path = (name = '', id = app.id) => `/api/apps/${id}/environment${name && `/${name}`}`;
  const set = (name: string, body: unknown, caller = token) => callJson(path(name), caller, 'PUT', body);
  const remove = (name: string, caller = token) => call(path(name), { token: caller, method: 'DELETE' });
  const list = async () =>
    ((await (await call(path(), { token })).json()) as { items: EnvironmentVariable[] }).items.map(
      ({ name, scope }) => `${name} ${scope}`,
    );
  const codeOf = async (response: Response) => [response.status, ((await response.json()) as { code?: string }).code];
  const versionOf = async () =>
    (
      await database.query<{ version: number }>('select runtime_version as version from apps.apps where id = $1', [
        app.id,
      ])
    )[0]?.version;

  it('is set, listed and deleted without showing a value, and each change restarts the servers', async () => {
    const response = await set('TOKEN', { value: 'hunter2 🔑' });
    expect(response.status).toBe(200);
    const entry = (await response.json()) as EnvironmentVariable;
    expect(entry).toEqual({ name: 'TOKEN', scope: 'all', updated_at: entry.updated_at, updated_by: entry.updated_by });
    expect(await versionOf()).toBe(2);
    await set('API_URL', { value: '', scope: 'preview' });
    await set('TOKEN', { value: 'hunter3', scope: 'production' });
    const listed = await (await call(path(), { token })).text();
    expect(listed).not.toContain('hunter');
    expect(await list()).toEqual(['API_URL preview', 'TOKEN production']);
    expect(await versionOf()).toBe(4);
    for (let times = 0; times < 2; times += 1) expect((await remove('API_URL')).status).toBe(204);
    expect(await list()).toEqual(['TOKEN production']);
    expect(await versionOf()).toBe(5);
  });

  it('is encrypted for its app, name and scope', async () => {
    await set('SEALED', { value: 'correct horse', scope: 'preview' });
    const [row] = await database.query<{ sealed: Buffer }>(
      `select sealed from apps.environment_variables where app_id = $1 and name = 'SEALED'`,
      [app.id],
    );
    const sealed = row?.sealed ?? Buffer.alloc(0);
    expect(sealed.toString('latin1')).not.toContain('correct horse');
    // As a runtime with the same keys does.
    const [, key = ''] = (settings['SECRETS_KEYS'] as string).split(':');
    const body = sealed.subarray(1 + sealed.readUInt8(0));
    const decipher = createDecipheriv('aes-256-gcm', Buffer.from(key, 'base64'), body.subarray(0, 12));
    decipher.setAAD(Buffer.from(`${app.id}\nSEALED\npreview`));
    decipher.setAuthTag(body.subarray(-16));
    expect(Buffer.concat([decipher.update(body.subarray(12, -16)), decipher.final()]).toString()).toBe('correct horse');
  });

  it('is audited by name only', async () => {
    await set('AUDITED', { value: 'hunter4' });
    await remove('AUDITED');
    const events = await database.query<{ action: string; detail: unknown }>(
      `select action, detail from platform.audit_events where target = $1 and detail->>'name' = 'AUDITED' order by id`,
      [app.id],
    );
    expect(events).toEqual([
      { action: 'apps.variable-set', detail: { name: 'AUDITED', scope: 'all' } },
      { action: 'apps.variable-deleted', detail: { name: 'AUDITED' } },
    ]);
  });

  it.each([
    ...['lower', '1ST', 'A-B', 'PORT', 'HOST', 'NODE_OPTIONS', 'LD_PRELOAD', 'HOMEPORT_X', 'A'.repeat(129)].map(
      (name) => [name, { value: 'x' }] as const,
    ),
    ['A', {}],
    ['A', { value: 1 }],
    ['A', { value: 'a\0b' }],
    ['A', { value: 'x', scope: 'staging' }],
    ['A', { value: 'x', extra: true }],
    ['A', { value: 'x'.repeat(64 * 1024) }],
  ])('rejects %s with %j', async (name, body) => {
    expect(await codeOf(await set(name, body))).toEqual([400, 'platform.invalid-request']);
  });

  it('has at most 64 variables', async () => {
    const full = await new DeployClient(token).register('Full', 'ssr');
    const put = (name: string, value = 'x') => callJson(path(name, full.id), token, 'PUT', { value });
    for (let i = 0; i < 64; i += 1) expect((await put(`V${i}`)).status).toBe(200);
    expect(await codeOf(await put('V64'))).toEqual([400, 'platform.invalid-request']);
    expect((await put('V63', 'replaced')).status).toBe(200);
  });

  it('belongs to its organization', async () => {
    for (const response of [
      await call(path(), { token: foreign }),
      await set('A', { value: 'x' }, foreign),
      await remove('A', foreign),
      await call(path('', 'nonsense'), { token }),
    ]) {
      expect(await codeOf(response)).toEqual([404, 'apps.not-found']);
    }
  });

  it('is open to tokens with the scope for the environment', async () => {
    const issue = async (scope: string) => {
      const response = await callJson('/api/tokens', token, 'POST', { name: scope, scopes: [scope], app_id: app.id });
      return ((await response.json()) as { token: string }).token;
    };
    const [writer, reader] = [await issue('environment:write'), await issue('apps:read')];
    expect((await set('BY_TOKEN', { value: 'x' }, writer)).status).toBe(200);
    expect((await call(path(), { token: writer })).status).toBe(200);
    expect(await codeOf(await set('BY_TOKEN', { value: 'x' }, reader))).toEqual([403, 'identity.scope-required']);
  });
});
