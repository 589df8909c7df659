import { randomUUID } from 'node:crypto';
import type { App, AppList, Deploy } from '@homeport/apps/contracts';
import type { ApiTokenList, CreatedApiToken } from '@homeport/identity/contracts';
import { PostgresAuditTrail } from '@homeport/organizations/server';
import type { Database } from '@homeport/platform/server/database';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type InProcessApi, startInProcessApi } from './testing/in-process-api';
import { TokenClient } from './testing/token-client';

let api: InProcessApi;
let database: Database;
let client: TokenClient;
/** People of one organization, of another one, and of none. */
let ada: string;
let ben: string;
let eve: string;
let app: App;
let otherApp: App;

beforeAll(async () => {
  api = await startInProcessApi({}, (adapters) => {
    database = adapters.database;
    return adapters;
  });
  client = new TokenClient(api.url);
  ada = await api.issuer.token({ sub: 'ada', org_id: 'acme', name: 'Ada' });
  ben = await api.issuer.token({ sub: 'ben', org_id: 'globex' });
  eve = await api.issuer.token({ sub: 'eve' });
  app = await client.register(ada, 'Token shop');
  otherApp = await client.register(ada, 'Token blog');
});

afterAll(() => api?.stop());

const SECRET = /^hp_[0-9A-Za-z]{40}$/;

describe('organization tokens', () => {
  it('are created with a secret that is shown once, and listed without it, newest first', async () => {
    const member = await api.issuer.token({ sub: 'lin', org_id: 'listing', name: 'Lin' });
    const request = {
      name: ' Deploys ',
      scopes: ['deploys:write', 'apps:read'],
      expires_at: '2099-01-01T00:00:00+01:00',
    };
    const { status, body, headers } = await client.call<CreatedApiToken>('POST /api/tokens', {
      bearer: member,
      json: request,
    });
    expect([status, headers.get('cache-control')]).toEqual([201, 'private, no-store']);
    const { token, ...shown } = body;
    expect(token).toMatch(SECRET);
    expect(shown).toEqual({
      id: expect.any(String),
      name: 'Deploys',
      kind: 'organization',
      scopes: ['deploys:write', 'apps:read'],
      app_id: null,
      prefix: null,
      expires_at: '2098-12-31T23:00:00.000Z',
      created_at: expect.any(String),
      created_by: 'Lin',
      last_used_at: null,
    });
    const second = await client.createToken(member, { scopes: ['apps:read'] });
    const list = await client.call<ApiTokenList>('GET /api/tokens', { bearer: member });
    expect(list.body).toEqual({ items: [expect.objectContaining({ id: second.id }), shown], next_cursor: null });
    expect(JSON.stringify(list.body)).not.toContain('hp_');
    expect((await client.call<ApiTokenList>('GET /api/tokens', { bearer: ben })).body.items).toEqual([]);
  });

  it.each([
    {},
    { name: 'x' },
    { name: 'x', scopes: [] },
    { name: 'x', scopes: 'apps:read' },
    { name: 'x', scopes: ['apps:everything'] },
    { name: 'x', scopes: ['files:read'] },
    { name: '', scopes: ['apps:read'] },
    { name: '  ', scopes: ['apps:read'] },
    { name: 'x'.repeat(101), scopes: ['apps:read'] },
    { name: 'a\u0000b', scopes: ['apps:read'] },
    { name: 'a\ud800', scopes: ['apps:read'] },
    { name: 7, scopes: ['apps:read'] },
    { name: 'x', scopes: ['apps:read'], expires_at: 'tomorrow' },
    { name: 'x', scopes: ['apps:read'], expires_at: '2001-01-01T00:00:00Z' },
    { name: 'x', scopes: ['apps:read'], expires_at: '2099-01-01' },
    { name: 'x', scopes: ['apps:read'], expires_at: '2099-02-31T00:00:00Z' },
    { name: 'x', scopes: ['apps:read'], expires_at: '2098-12-31T23:59:60Z' },
    { name: 'x', scopes: ['apps:read'], app_id: 'x' },
    { name: 'x', scopes: ['apps:read'], prefix: 'reports/' },
    { name: 'x', scopes: ['apps:read'], kind: 'personal' },
  ])('are refused for the body %j', async (json) => {
    const { status, body } = await client.call('POST /api/tokens', { bearer: ada, json });
    expect([status, body.code]).toEqual([400, 'platform.invalid-request']);
  });

  it('are refused with Idempotency-Key, for an app of another organization and without an organization', async () => {
    const json = { name: 'x', scopes: ['apps:read'] };
    const headers = { 'idempotency-key': 'one' };
    expect((await client.call('POST /api/tokens', { bearer: ada, json, headers })).status).toBe(400);
    const foreign = await client.call('POST /api/tokens', { bearer: ben, json: { ...json, app_id: app.id } });
    const absent = await client.call('POST /api/tokens', { bearer: ben, json: { ...json, app_id: randomUUID() } });
    expect([foreign.status, foreign.body.code]).toEqual([404, 'apps.not-found']);
    expect({ ...foreign.body, request_id: '' }).toEqual({ ...absent.body, request_id: '' });
    const without = await client.call('POST /api/tokens', { bearer: eve, json });
    expect([without.status, without.body.code]).toEqual([403, 'identity.organization-required']);
  });

  it('are limited to 100 per organization', async () => {
    const member = await api.issuer.token({ sub: 'max', org_id: 'many' });
    const create = () =>
      client.call('POST /api/tokens', { bearer: member, json: { name: 'x', scopes: ['apps:read'] } });
    for (let count = 0; count < 98; count += 1) expect((await create()).status).toBe(201);
    const statuses = (await Promise.all(Array.from({ length: 8 }, create))).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([201, 201, 403, 403, 403, 403, 403, 403]);
    const refused = await create();
    expect([refused.status, refused.body.code]).toEqual([403, 'identity.token-quota-exceeded']);
  });

  it('permit exactly the calls of their scopes', async () => {
    const reader = await client.createToken(ada, { scopes: ['apps:read'] });
    expect((await client.call(`GET /api/apps/${app.id}`, { bearer: reader.token })).status).toBe(200);
    expect((await client.call('GET /api/apps', { bearer: reader.token })).status).toBe(200);
    const refused = await client.call('POST /api/apps', { bearer: reader.token, json: { name: 'No' } });
    expect([refused.status, refused.body.code]).toEqual([403, 'identity.scope-required']);
    expect(refused.headers.get('www-authenticate')).toBe('Bearer error="insufficient_scope", scope="apps:write"');
    const existing = await client.call(`DELETE /api/apps/${app.id}`, { bearer: reader.token });
    const absent = await client.call(`DELETE /api/apps/${randomUUID()}`, { bearer: reader.token });
    expect([existing.status, absent.status]).toEqual([403, 403]);
    expect({ ...existing.body, request_id: '' }).toEqual({ ...absent.body, request_id: '' });
    for (const route of ['GET /api/files', 'GET /api/events', 'GET /api/tokens', 'GET /api/me/tokens']) {
      expect((await client.call(route, { bearer: reader.token })).status).toBe(403);
    }
  });

  it('cannot create tokens or trusts', async () => {
    const all = await client.createToken(ada, {
      scopes: ['apps:read', 'apps:write', 'deploys:write', 'domains:write'],
    });
    const json = { name: 'x', scopes: ['apps:read'] };
    for (const route of ['POST /api/tokens', 'POST /api/me/tokens', `POST /api/apps/${app.id}/trusts`]) {
      const { status, body } = await client.call(route, { bearer: all.token, json });
      expect([status, body.code]).toEqual([403, 'identity.scope-required']);
    }
    expect((await client.call(`DELETE /api/tokens/${all.id}`, { bearer: all.token })).status).toBe(403);
  });

  it('stay in their organization', async () => {
    const foreign = await client.createToken(ben, { scopes: ['apps:read', 'apps:write', 'deploys:write'] });
    for (const route of ['GET /api/apps/', 'DELETE /api/apps/', 'GET /api/deploys/', 'POST /api/deploys/x/']) {
      const { status } = await client.call(
        route.replace('x/', `${app.id}/activate`) + (route.endsWith('x/') ? '' : app.id),
        {
          bearer: foreign.token,
        },
      );
      expect([route, status]).toEqual([route, 404]);
    }
    expect((await client.call<AppList>('GET /api/apps', { bearer: foreign.token })).body.items).toEqual([]);
  });

  it('are revoked, also repeatedly, and only by their organization', async () => {
    const { id, token } = await client.createToken(ada, { scopes: ['apps:read'] });
    expect((await client.call('GET /api/apps', { bearer: token })).status).toBe(200);
    expect((await client.call(`DELETE /api/tokens/${id}`, { bearer: ben })).status).toBe(204);
    expect((await client.call(`DELETE /api/me/tokens/${id}`, { bearer: ada })).status).toBe(204);
    expect((await client.call('GET /api/apps', { bearer: token })).status).toBe(200);
    for (const each of [id, id, 'malformed']) {
      expect((await client.call(`DELETE /api/tokens/${each}`, { bearer: ada })).status).toBe(204);
    }
    // The test's time limit applies; the e2e test measures one second.
    let refused = await client.call('GET /api/apps', { bearer: token });
    while (refused.status === 200) refused = await client.call('GET /api/apps', { bearer: token });
    expect([refused.status, refused.body.code]).toEqual([401, 'identity.token-invalid']);
  });

  it('show their last use', async () => {
    const { id, token } = await client.createToken(ada, { scopes: ['apps:read'] });
    await client.call('GET /api/apps', { bearer: token });
    const used = async () => {
      const { items } = (await client.call<ApiTokenList>('GET /api/tokens', { bearer: ada })).body;
      return items.find((each) => each.id === id)?.last_used_at ?? null;
    };
    while ((await used()) === null);
    expect(await used()).toMatch(/^\d{4}-/);
  });

  it('are named in the audit trail and as the author of deploys', async () => {
    const { id, token } = await client.createToken(ada, { name: 'Robot', scopes: ['apps:write'] });
    const robotApp = await client.register(token, 'Robot app');
    const events = await new PostgresAuditTrail(database).list('acme', { limit: 100 });
    expect(events.find(({ target }) => target === robotApp.id)).toMatchObject({
      action: 'apps.registered',
      actor: { name: `token:${id}` },
    });
    expect(events.find(({ target }) => target === id)).toMatchObject({
      action: 'identity.token-created',
      actor: { name: 'person:ada', subject: 'ada' },
      detail: { kind: 'organization', name: 'Robot' },
    });
  });
});

describe('tokens of one app', () => {
  const SCOPES = ['apps:read', 'apps:write', 'deploys:write'];

  async function deploy(bearer: string, to: App): Promise<Deploy> {
    // An empty gzip: a failed deploy is enough.
    const body = Buffer.from('1f8b08000000000000030300000000000000000', 'hex');
    await client.call(`POST /api/apps/${to.id}/deploys`, {
      bearer,
      body,
      headers: { 'content-type': 'application/gzip' },
    });
    const { items } = (await client.call<{ items: Deploy[] }>(`GET /api/apps/${to.id}/deploys`, { bearer: ada })).body;
    return items[0] as Deploy;
  }

  it('reach their app and its deploys', async () => {
    const { token } = await client.createToken(ada, { scopes: SCOPES, app_id: app.id.toUpperCase() });
    expect((await client.call(`GET /api/apps/${app.id}`, { bearer: token })).status).toBe(200);
    expect((await client.call(`GET /api/apps/${app.id.toUpperCase()}`, { bearer: token })).status).toBe(200);
    expect((await client.call('GET /api/hosting', { bearer: token })).status).toBe(200);
    const { id } = await deploy(token, app);
    expect((await client.call(`GET /api/deploys/${id}`, { bearer: token })).status).toBe(200);
    expect((await client.call(`GET /api/deploys/${id}/files`, { bearer: token })).status).toBe(200);
    const list = await client.call<AppList>('GET /api/apps', { bearer: token });
    expect(list.body.items.map((each) => each.id)).toEqual([app.id]);
  });

  it('get the answers of absent resources for other apps', async () => {
    const { token } = await client.createToken(ada, { scopes: SCOPES, app_id: app.id });
    const { id: deployId } = await deploy(ada, otherApp);
    const rows = [
      ['GET /api/apps/:app', 404],
      ['DELETE /api/apps/:app', 404],
      ['POST /api/apps/:app/dns/retry', 404],
      ['GET /api/apps/:app/deploys', 404],
      ['POST /api/apps/:app/rollback', 404],
      ['GET /api/deploys/:deploy', 404],
      ['GET /api/deploys/:deploy/files', 404],
      ['POST /api/deploys/:deploy/activate', 404],
      ['DELETE /api/deploys/:deploy', 204],
    ] as const;
    for (const [route, expected] of rows) {
      const other = await client.call(route.replace(':app', otherApp.id).replace(':deploy', deployId), {
        bearer: token,
      });
      const absent = await client.call(route.replace(/:(app|deploy)/, randomUUID()), { bearer: token });
      expect([route, other.status]).toEqual([route, expected]);
      expect({ ...other.body, request_id: '' }).toEqual({ ...absent.body, request_id: '' });
    }
    expect((await client.call(`GET /api/apps/${otherApp.id}`, { bearer: ada })).status).toBe(200);
    expect((await client.call(`GET /api/deploys/${deployId}`, { bearer: ada })).status).toBe(200);
  });

  it('cannot make calls that concern the whole organization', async () => {
    const { token } = await client.createToken(ada, { scopes: SCOPES, app_id: app.id });
    for (const [route, json] of [
      ['POST /api/apps', { name: 'No' }],
      ['GET /api/subdomains/free', undefined],
    ] as const) {
      const { status, body } = await client.call(route, { bearer: token, json });
      expect([status, body.code]).toEqual([403, 'identity.scope-required']);
    }
  });
});

describe('personal tokens', () => {
  const put = (bearer: string, path: string) =>
    client.call(`PUT /api/files/${path}`, { bearer, body: 'text', headers: { 'content-type': 'text/plain' } });

  it('open the workspace of their person, also without an organization', async () => {
    const { token, ...shown } = await client.createPersonalToken(eve, {
      scopes: ['files:read', 'files:write'],
      name: 'Sync',
    });
    expect(shown).toMatchObject({ kind: 'personal', app_id: null, prefix: null, created_by: 'eve' });
    expect((await put(token, 'notes/a.md')).status).toBe(201);
    expect((await client.call('GET /api/files/notes/a.md', { bearer: eve })).status).toBe(200);
    expect((await client.call('GET /api/files/notes/a.md', { bearer: token })).status).toBe(200);
    expect((await client.call('GET /api/files/notes/a.md', { bearer: ada })).status).toBe(404);
    expect((await client.call('GET /api/apps', { bearer: token })).status).toBe(403);
    const { items } = (await client.call<ApiTokenList>('GET /api/me/tokens', { bearer: eve })).body;
    expect(items).toEqual([{ ...shown, last_used_at: expect.anything() }]);
    expect((await client.call<ApiTokenList>('GET /api/me/tokens', { bearer: ada })).body.items).toEqual([]);
  });

  it('are separated into reading and writing', async () => {
    const reader = await client.createPersonalToken(ada, { scopes: ['files:read'] });
    const writer = await client.createPersonalToken(ada, { scopes: ['files:write'] });
    expect((await put(writer.token, 'scopes.md')).status).toBe(201);
    for (const route of ['GET /api/files/scopes.md', 'GET /api/files', 'HEAD /api/files/scopes.md']) {
      expect([route, (await client.call(route, { bearer: writer.token })).status]).toEqual([route, 403]);
      expect([route, (await client.call(route, { bearer: reader.token })).status]).toEqual([route, 200]);
    }
    expect((await put(reader.token, 'scopes.md')).status).toBe(403);
    expect((await client.call('DELETE /api/files/scopes.md', { bearer: reader.token })).status).toBe(403);
  });

  it('are confined to their folder', async () => {
    const { token, prefix } = await client.createPersonalToken(ada, {
      scopes: ['files:read', 'files:write'],
      prefix: 'reports/2026',
    });
    expect(prefix).toBe('reports/2026/');
    await put(ada, 'reports/2025/a.md');
    expect((await put(token, 'reports/2026/b.md')).status).toBe(201);
    expect((await client.call('GET /api/files/reports/2026/b.md', { bearer: token })).status).toBe(200);
    const outside = await client.call('GET /api/files/reports/2025/a.md', { bearer: token });
    const absent = await client.call('GET /api/files/reports/2026/none.md', { bearer: token });
    expect([outside.status, { ...outside.body, request_id: '' }]).toEqual([404, { ...absent.body, request_id: '' }]);
    for (const path of ['reports/2025/a.md', 'reports/20266.md', 'x.md', 'reports/2026/%2e%2e/x.md']) {
      expect([path, [400, 403]]).toEqual([path, expect.arrayContaining([(await put(token, path)).status])]);
    }
    const { status, body } = await client.call('DELETE /api/files/reports/2025/a.md', { bearer: token });
    expect([status, body.code]).toEqual([403, 'identity.scope-required']);
    const list = await client.call<{ items: { key: string }[] }>('GET /api/files', { bearer: token });
    expect(list.body.items.map(({ key }) => key)).toEqual(['reports/2026/b.md']);
    for (const paths of [['/'], ['reports/'], ['reports/2025/a.md'], ['reports/2026/b.md', 'reports/2025/a.md']]) {
      expect((await client.call('POST /api/archives', { bearer: token, json: { paths } })).status).toBe(404);
    }
    const archive = await client.call('POST /api/archives', { bearer: token, json: { paths: ['reports/2026/'] } });
    expect(archive.status).toBe(201);
  });

  it.each([
    { scopes: ['apps:read'] },
    { scopes: ['files:read'], app_id: randomUUID() },
    { scopes: ['files:read'], prefix: '../x' },
    { scopes: ['files:read'], prefix: '/x' },
    { scopes: ['files:read'], prefix: 'a//b' },
    { scopes: ['files:read'], prefix: 'a\\b' },
    { scopes: ['files:read'], prefix: 'x'.repeat(1_025) },
    { scopes: ['files:read'], prefix: 7 },
  ])('are refused for %j', async (request) => {
    const { status } = await client.call('POST /api/me/tokens', { bearer: ada, json: { name: 'x', ...request } });
    expect(status).toBe(400);
  });

  it('are revoked only by their person', async () => {
    const { id, token } = await client.createPersonalToken(ada, { scopes: ['files:read'] });
    const colleague = await api.issuer.token({ sub: 'cleo', org_id: 'acme' });
    expect((await client.call(`DELETE /api/me/tokens/${id}`, { bearer: colleague })).status).toBe(204);
    expect((await client.call(`DELETE /api/tokens/${id}`, { bearer: colleague })).status).toBe(204);
    expect((await client.call('GET /api/files', { bearer: token })).status).toBe(200);
    expect((await client.call(`DELETE /api/me/tokens/${id}`, { bearer: ada })).status).toBe(204);
    let { status } = await client.call('GET /api/files', { bearer: token });
    while (status === 200) ({ status } = await client.call('GET /api/files', { bearer: token }));
    expect(status).toBe(401);
  });
});
