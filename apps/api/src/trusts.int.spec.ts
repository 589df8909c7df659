import { randomUUID } from 'node:crypto';
import type { App } from '@homeport/apps/contracts';
import type { Trust, TrustList } from '@homeport/identity/contracts';
import { TestIssuer } from '@homeport/identity/server/testing';
import { PostgresAuditTrail } from '@homeport/organizations/server';
import type { Database } from '@homeport/platform/server/database';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type InProcessApi, startInProcessApi } from './testing/in-process-api';
import { TokenClient } from './testing/token-client';

const PUBLIC_URL = 'http://localhost:3999';
const CLAIMS = { repository: 'acme/shop', ref: 'refs/heads/main', sub: 'repo:acme/shop:ref:refs/heads/main' };
const REFUSED = { error: 'invalid_request', error_description: 'The subject token is not accepted for this audience.' };

let api: InProcessApi;
let database: Database;
let client: TokenClient;
/** The issuers of the trusted pipelines and of strangers. */
let pipelines: TestIssuer;
let strangers: TestIssuer;
let ada: string;
let ben: string;
let app: App;
let otherApp: App;
let trust: Trust;

beforeAll(async () => {
  [pipelines, strangers] = await Promise.all([TestIssuer.start(), TestIssuer.start()]);
  pipelines.serveDiscovery();
  strangers.serveDiscovery();
  api = await startInProcessApi({ PUBLIC_URL }, (adapters) => {
    database = adapters.database;
    return adapters;
  });
  client = new TokenClient(api.url);
  ada = await api.issuer.token({ sub: 'ada', org_id: 'acme', name: 'Ada' });
  ben = await api.issuer.token({ sub: 'ben', org_id: 'globex' });
  app = await client.register(ada, 'Trusting shop');
  otherApp = await client.register(ada, 'Other shop');
  trust = await client.createTrust(ada, app.id, {
    issuer: pipelines.url,
    claims: { repository: 'acme/shop', ref: 'refs/heads/*' },
    scopes: ['apps:read', 'deploys:write'],
  });
});

afterAll(async () => {
  await api?.stop();
  await pipelines?.stop();
  await strangers?.stop();
});

const now = () => Math.floor(Date.now() / 1_000);

/** A new token of a pipeline. */
function idToken(changes: Readonly<Record<string, unknown>> = {}, issuer = pipelines): Promise<string> {
  return issuer.sign(issuer.claims({ aud: PUBLIC_URL, jti: randomUUID(), ...CLAIMS, ...changes }), { typ: 'JWT' });
}

/** Negates `s` of an ECDSA signature, which is valid too. */
function otherSignatureOf(token: string): string {
  const [header, payload, signature = ''] = token.split('.');
  const bytes = Buffer.from(signature, 'base64url');
  const order = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;
  const s = order - BigInt(`0x${bytes.toString('hex', 32)}`);
  bytes.write(s.toString(16).padStart(64, '0'), 32, 'hex');
  return `${header}.${payload}.${bytes.toString('base64url')}`;
}

describe('trusts', () => {
  it('are created, listed newest first and deleted', async () => {
    const created = await client.createTrust(ada, otherApp.id.toUpperCase(), {
      issuer: 'github',
      claims: { repository: 'acme/blog' },
      scopes: ['deploys:write'],
    });
    expect(created).toEqual({
      id: expect.any(String),
      app_id: otherApp.id,
      issuer: 'github',
      claims: { repository: 'acme/blog' },
      scopes: ['deploys:write'],
      created_at: expect.any(String),
      created_by: 'Ada',
      last_used_at: null,
    });
    const newer = await client.createTrust(ada, otherApp.id, {
      issuer: 'https://gitlab.acme.example',
      claims: { project_path: 'acme/blog' },
      scopes: ['deploys:write'],
    });
    const route = `/api/apps/${otherApp.id}/trusts`;
    const list = await client.call<TrustList>(`GET ${route}`, { bearer: ada });
    expect(list.body).toEqual({ items: [newer, created], next_cursor: null });
    for (const id of [created.id, created.id, newer.id, 'malformed']) {
      expect((await client.call(`DELETE ${route}/${id}`, { bearer: ada })).status).toBe(204);
    }
    expect((await client.call<TrustList>(`GET ${route}`, { bearer: ada })).body.items).toEqual([]);
  });

  it.each([
    {},
    { issuer: 'github', claims: { repository: 'acme/shop' } },
    { issuer: 'github', claims: { repository: 'acme/shop' }, scopes: [] },
    { issuer: 'github', claims: { repository: 'acme/shop' }, scopes: ['files:read'] },
    { issuer: 'github', claims: {}, scopes: ['deploys:write'] },
    { issuer: 'github', claims: { ref: 'refs/heads/main' }, scopes: ['deploys:write'] },
    { issuer: 'github', claims: { repository: 'acme/*/x' }, scopes: ['deploys:write'] },
    { issuer: 'github', claims: { repository: ['acme/shop'] }, scopes: ['deploys:write'] },
    { issuer: 'github', claims: 'repository', scopes: ['deploys:write'] },
    { issuer: 'http://ci.example', claims: { repository: 'acme/shop' }, scopes: ['deploys:write'] },
    { issuer: 'bitbucket', claims: { repository: 'acme/shop' }, scopes: ['deploys:write'] },
    { issuer: 7, claims: { repository: 'acme/shop' }, scopes: ['deploys:write'] },
    { issuer: 'github', claims: { repository: 'acme/shop' }, scopes: ['deploys:write'], more: 1 },
  ])('are refused for the body %j', async (json) => {
    const { status, body } = await client.call(`POST /api/apps/${app.id}/trusts`, { bearer: ada, json });
    expect([status, body.code]).toEqual([400, 'platform.invalid-request']);
  });

  it('are hidden from other organizations', async () => {
    const json = { issuer: 'github', claims: { repository: 'acme/shop' }, scopes: ['deploys:write'] };
    for (const method of ['GET', 'POST']) {
      const request = { bearer: ben, ...(method === 'POST' && { json }) };
      const foreign = await client.call(`${method} /api/apps/${app.id}/trusts`, request);
      const absent = await client.call(`${method} /api/apps/${randomUUID()}/trusts`, request);
      expect([foreign.status, foreign.body.code]).toEqual([404, 'apps.not-found']);
      expect({ ...foreign.body, request_id: '' }).toEqual({ ...absent.body, request_id: '' });
    }
    expect((await client.call(`DELETE /api/apps/${app.id}/trusts/${trust.id}`, { bearer: ben })).status).toBe(204);
    const { items } = (await client.call<TrustList>(`GET /api/apps/${app.id}/trusts`, { bearer: ada })).body;
    expect(items).toHaveLength(1);
  });
});

describe('the token exchange', () => {
  it('gives a trusted pipeline an access token for its app', async () => {
    const { status, body, headers } = await client.exchange({ subject_token: await idToken(), audience: app.id });
    expect([status, headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(body).toEqual({
      access_token: expect.stringMatching(/^hp_[0-9A-Za-z]{40}$/),
      issued_token_type: 'urn:ietf:params:oauth:token-type:access_token',
      token_type: 'Bearer',
      expires_in: 900,
      scope: 'apps:read deploys:write',
    });
    const bearer = body.access_token;
    expect((await client.call(`GET /api/apps/${app.id}`, { bearer })).status).toBe(200);
    expect((await client.call(`GET /api/apps/${otherApp.id}`, { bearer })).status).toBe(404);
    expect((await client.call(`DELETE /api/apps/${app.id}`, { bearer })).status).toBe(403);
    expect((await client.call('GET /api/tokens', { bearer })).status).toBe(403);
    const tokens = await client.call<{ items: unknown[] }>('GET /api/tokens', { bearer: ada });
    expect(tokens.body.items).toEqual([]);
    const { items } = (await client.call<TrustList>(`GET /api/apps/${app.id}/trusts`, { bearer: ada })).body;
    expect(items).toEqual([{ ...trust, last_used_at: expect.any(String) }]);
    const events = await new PostgresAuditTrail(database).list('acme', { limit: 50 });
    expect(events.find(({ action }) => action === 'identity.token-exchanged')).toMatchObject({
      actor: { name: `ci:${trust.id}` },
      detail: { app: app.id, subject: CLAIMS.sub },
    });
  });

  it('limits the scopes on request', async () => {
    const form = { subject_token: await idToken(), audience: app.id.toUpperCase() };
    const fewer = { subject_token: await idToken(), audience: app.id, scope: 'deploys:write' };
    expect((await client.exchange(fewer)).body.scope).toBe('deploys:write');
    const more = await client.exchange({ ...form, scope: 'deploys:write apps:write' });
    expect([more.status, more.body.error]).toEqual([400, 'invalid_scope']);
  });

  it('exchanges a token once for each app, also after the trust was created again', async () => {
    const reused = {
      error: 'invalid_request',
      error_description: 'The subject token was already exchanged. Request a new one.',
    };
    const shops = await Promise.all(['One', 'Two'].map((name) => client.register(ada, `Replayed shop ${name}`)));
    const [one, two] = shops.map(({ id }) => id) as [string, string];
    const request = { issuer: pipelines.url, claims: { repository: 'acme/shop' }, scopes: ['deploys:write'] };
    const [first] = await Promise.all([one, two].map((id) => client.createTrust(ada, id, request)));
    const subject_token = await idToken();
    const statuses = await Promise.all(
      Array.from({ length: 8 }, async () => (await client.exchange({ subject_token, audience: one })).status),
    );
    expect(statuses.toSorted()).toEqual([200, ...Array.from({ length: 7 }, () => 400)]);
    expect((await client.exchange({ subject_token, audience: two })).status).toBe(200);
    await client.call(`DELETE /api/apps/${one}/trusts/${first?.id}`, { bearer: ada });
    await client.createTrust(ada, one, request);
    expect((await client.exchange({ subject_token, audience: one })).body).toEqual(reused);
  });

  it('refuses another signature of an exchanged token', async () => {
    const subject_token = await pipelines.sign(pipelines.claims({ aud: PUBLIC_URL, ...CLAIMS }), {
      alg: 'ES256',
      typ: 'JWT',
    });
    expect((await client.exchange({ subject_token, audience: app.id })).status).toBe(200);
    const twin = await client.exchange({ subject_token: otherSignatureOf(subject_token), audience: app.id });
    expect([twin.status, twin.body.error_description]).toEqual([400, expect.stringContaining('already exchanged')]);
  });

  it('accepts every branch that the pattern names, and an audience in a list of one', async () => {
    const subject_token = await idToken({ ref: 'refs/heads/feature/x', aud: [PUBLIC_URL] });
    expect((await client.exchange({ subject_token, audience: app.id })).status).toBe(200);
  });

  it.each<[string, Readonly<Record<string, unknown>>]>([
    ['expired', { exp: now() - 31 }],
    ['without an expiry', { exp: undefined }],
    ['not valid yet', { nbf: now() + 600 }],
    ['issued in the future', { iat: now() + 600 }],
    ['for another audience', { aud: 'https://other.example' }],
    ['for the audience with a slash', { aud: `${PUBLIC_URL}/` }],
    ['for several audiences', { aud: [PUBLIC_URL, 'https://other.example'] }],
    ['without an audience', { aud: undefined }],
    ['of another repository', { repository: 'acme/blog' }],
    ['of a fork', { repository: 'mallory/shop', sub: 'repo:mallory/shop:ref:refs/heads/main' }],
    ['of a repository whose name begins the same', { repository: 'acme/shop-2' }],
    ['of a pull request', { ref: 'refs/pull/7/merge' }],
    ['of a tag', { ref: 'refs/tags/refs/heads/main' }],
    ['without a repository', { repository: undefined }],
    ['with a list of repositories', { repository: ['acme/shop'] }],
    ['of an issuer that the trust does not name', { iss: 'https://token.actions.githubusercontent.com' }],
    ['with an issuer of another type', { iss: 7 }],
  ])('refuses a token that is %s', async (_case, changes) => {
    const { status, body } = await client.exchange({ subject_token: await idToken(changes), audience: app.id });
    expect([status, body]).toEqual([400, REFUSED]);
  });

  it('refuses forged tokens', async () => {
    const [header = '', payload = '', signature = ''] = (await idToken()).split('.');
    const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const claims = pipelines.claims({ aud: PUBLIC_URL, ...CLAIMS });
    const forged = [
      `${header}.${payload}.`,
      `${header}.${encoded({ ...claims, repository: 'acme/blog' })}.${signature}`,
      `${encoded({ alg: 'none', kid: 'RS256' })}.${payload}.`,
      `${encoded({ alg: 'HS256', kid: 'RS256' })}.${payload}.${signature}`,
      await pipelines.sign(claims, {}, strangers.keys.PS256.privateKey),
      await pipelines.sign(claims, { kid: 'unknown' }),
      await idToken({ iss: strangers.url }, strangers),
      `${header}.${payload}`,
      'x',
      `hp_${'0'.repeat(40)}`,
      'x'.repeat(9_000),
    ];
    for (const subject_token of forged) {
      const { status, body } = await client.exchange({ subject_token, audience: app.id });
      expect([subject_token.slice(0, 60), status, body]).toEqual([subject_token.slice(0, 60), 400, REFUSED]);
    }
  });

  it('answers the same for apps without a trust, of others and absent ones', async () => {
    for (const audience of [otherApp.id, randomUUID(), 'x', 'https://homeport.example']) {
      const { status, body } = await client.exchange({ subject_token: await idToken(), audience });
      expect([status, body]).toEqual([400, REFUSED]);
    }
  });

  it('contacts only issuers that the app trusts', async () => {
    const before = strangers.fetches;
    await client.exchange({ subject_token: await idToken({}, strangers), audience: app.id });
    expect(strangers.fetches).toBe(before);
  });

  it('follows RFC 6749 for invalid requests', async () => {
    const valid = { subject_token: await idToken(), audience: app.id };
    const rows = [
      [{ ...valid, grant_type: 'client_credentials' }, 'unsupported_grant_type'],
      [{ ...valid, grant_type: undefined }, 'invalid_request'],
      [{ ...valid, subject_token: undefined }, 'invalid_request'],
      [{ ...valid, subject_token_type: 'urn:ietf:params:oauth:token-type:saml2' }, 'invalid_request'],
      [{ ...valid, audience: '' }, 'invalid_request'],
      [{ ...valid, requested_token_type: 'urn:ietf:params:oauth:token-type:refresh_token' }, 'invalid_request'],
      [{ ...valid, actor_token: 'x' }, 'invalid_request'],
    ] as const;
    for (const [form, error] of rows) {
      const { status, body, headers } = await client.exchange(form);
      expect([status, body.error, headers.get('content-type')]).toEqual([
        400,
        error,
        'application/json; charset=utf-8',
      ]);
    }
    const repeated = new URLSearchParams([
      ['grant_type', 'x'],
      ['grant_type', 'x'],
    ]);
    const bodies = [
      { json: valid },
      { body: repeated },
      { body: 'x', headers: { 'content-type': 'text/plain' } },
      { body: new Uint8Array([0xff, 0xfe]), headers: { 'content-type': 'application/x-www-form-urlencoded' } },
      {},
    ];
    for (const request of bodies) {
      const { status, body } = await client.call<{ error?: string }>('POST /auth/token', request);
      expect([status, body.error]).toEqual([400, 'invalid_request']);
    }
    const unknown = await client.exchange({ ...valid, more: 'is ignored' });
    expect(unknown.status).toBe(200);
  });

  it('is unavailable while the keys of the issuer cannot be read', async () => {
    const issuer = await TestIssuer.start();
    issuer.answer = (_request, response) => void response.writeHead(500).end();
    try {
      const claims = { repository: 'acme/shop' };
      await client.createTrust(ada, otherApp.id, { issuer: issuer.url, claims, scopes: ['deploys:write'] });
      const subject_token = await idToken({}, issuer);
      const { status, body } = await client.exchange({ subject_token, audience: otherApp.id });
      expect([status, body.code]).toEqual([503, 'identity.keys-unavailable']);
    } finally {
      await issuer.stop();
    }
  });

  it('ends with the trust, and with the app', async () => {
    const doomed = await client.register(ada, 'Doomed shop');
    const request = { issuer: pipelines.url, claims: { repository: 'acme/shop' }, scopes: ['apps:read'] };
    const short = await client.createTrust(ada, doomed.id, request);
    const form = async () => ({ subject_token: await idToken(), audience: doomed.id });
    const { access_token: bearer } = (await client.exchange(await form())).body;
    expect((await client.call('GET /api/apps', { bearer })).status).toBe(200);
    await client.call(`DELETE /api/apps/${doomed.id}/trusts/${short.id}`, { bearer: ada });
    // The test's time limit applies.
    let refused = await client.call('GET /api/apps', { bearer });
    while (refused.status === 200) refused = await client.call('GET /api/apps', { bearer });
    expect([refused.status, refused.body.code]).toEqual([401, 'identity.token-invalid']);
    expect((await client.exchange(await form())).body).toEqual(REFUSED);
    await client.createTrust(ada, doomed.id, request);
    expect((await client.exchange(await form())).status).toBe(200);
    expect((await client.call(`DELETE /api/apps/${doomed.id}`, { bearer: ada })).status).toBe(200);
    expect((await client.exchange(await form())).body).toEqual(REFUSED);
  });
});
