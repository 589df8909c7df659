import { createHash } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { DatabaseUnavailable } from '@homeport/kernel';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { BrowserSignIn } from '../../application/browser-sign-in';
import { KeySet } from '../../application/key-set.port';
import { GrantRefused, IdentityProviderUnavailable } from '../../domain/identity.errors';
import { guardedApp } from '../../testing/guarded-app';
import { FakeIdentityProvider } from '../../testing/fake-identity-provider';
import { InMemorySessionStore } from '../memory/in-memory-session-store';

const PUBLIC_URL = 'https://homeport.example';
const SESSION = '__Host-homeport_session';
const SAME_ORIGIN = { 'sec-fetch-site': 'same-origin' };
const RULES = {
  issuer: 'https://idp.example',
  audience: 'homeport-api',
  audienceClaim: 'aud',
  organizationClaim: 'org_id',
  algorithms: ['RS256'],
  clockSkewSeconds: 30,
} as const;

class NoKeys extends KeySet {
  async find(): Promise<undefined> {
    return undefined;
  }

  async ready(): Promise<void> {
    return Promise.resolve();
  }
}

let app: NestFastifyApplication | undefined;
let service: FakeIdentityProvider;
let store: InMemorySessionStore;

async function start(signIn: BrowserSignIn | undefined): Promise<void> {
  app = await guardedApp({ rules: RULES, keySet: new NoKeys(), signIn, publicUrl: PUBLIC_URL });
}

afterEach(async () => {
  await app?.close();
  app = undefined;
});

type Cookies = Record<string, string>;

async function call(
  method: 'GET' | 'HEAD' | 'POST' | 'DELETE',
  url: string,
  headers: Record<string, string> = {},
  cookies: Cookies = {},
) {
  if (!app) throw new Error('the app is not started');
  const answer = await app.inject({ method, url, headers, cookies });
  return {
    status: answer.statusCode,
    headers: answer.headers,
    body: answer.body === '' ? undefined : (JSON.parse(answer.body) as Record<string, unknown>),
    set: answer.cookies,
    jar: Object.fromEntries(answer.cookies.map(({ name, value }) => [name, value])),
  };
}

/** Opens the hosted page and returns from it with `query`, in one browser. */
async function completeSignIn(
  query: string,
  returnTo = '/files/a',
  during: () => void = () => undefined,
  jar: Cookies = {},
) {
  const redirect = await call('GET', `/auth/sign-in?provider=corp&return_to=${encodeURIComponent(returnTo)}`);
  const state = new URL(String(redirect.headers.location)).searchParams.get('state') ?? '';
  during();
  return call('GET', `/auth/callback?${query}&state=${state}`, {}, { ...jar, ...redirect.jar });
}

describe('the sign-in pages', () => {
  beforeEach(async () => {
    service = new FakeIdentityProvider();
    const providers = [{ id: 'corp', label: 'Company', params: { kc_idp_hint: 'corp' } }];
    store = new InMemorySessionStore();
    await start(new BrowserSignIn(providers, service, store));
  });

  it('list the providers', async () => {
    const { status, body, headers } = await call('GET', '/auth/providers');
    expect([status, body]).toEqual([200, [{ id: 'corp', label: 'Company' }]]);
    expect(headers['cache-control']).toBe('no-store');
  });

  it('redirect to the hosted page with a cookie for this attempt', async () => {
    const { status, headers, set } = await call('GET', '/auth/sign-in?provider=corp&return_to=/files');
    expect(status).toBe(302);
    expect(headers.location).toMatch(/^https:\/\/idp\.example\/authorize\?kc_idp_hint=corp&state=[\w-]{43}$/);
    expect(headers['cache-control']).toBe('no-store');
    expect(set).toEqual([
      expect.objectContaining({ httpOnly: true, secure: true, sameSite: 'Lax', path: '/', maxAge: 600 }),
    ]);
  });

  it.each(['?other=1', '?provider=', '?provider=a&provider=b'])('refuse the query %s', async (query) => {
    const { status, body } = await call('GET', `/auth/sign-in${query}`);
    expect([status, body?.['code']]).toEqual([400, 'platform.invalid-request']);
  });

  it('answer 503 when the hosted page cannot be discovered', async () => {
    service.failure = new IdentityProviderUnavailable();
    const { status, body, headers } = await call('GET', '/auth/sign-in');
    expect([status, body?.['code']]).toEqual([503, 'identity.service-unavailable']);
    expect(headers['retry-after']).toBe('5');
  });

  it.each<{ headers: Record<string, string>; query: string; reason: string }>([
    { headers: { 'sec-fetch-mode': 'navigate' }, query: '?return_to=/files/a', reason: 'unavailable' },
    { headers: { accept: 'text/html,*/*;q=0.8' }, query: '?return_to=/files/a', reason: 'unavailable' },
    { headers: { 'sec-fetch-mode': 'navigate' }, query: '?return_to=/files/a&provider=', reason: 'refused' },
  ])(
    'redirect a browser navigation to the sign-in page instead of a problem document: $headers $query',
    async ({ headers, query, reason }) => {
      service.failure = new IdentityProviderUnavailable();
      const answer = await call('GET', `/auth/sign-in${query}`, headers);
      expect(answer.status).toBe(303);
      expect(answer.headers.location).toBe(`/login?error=${reason}&return_to=%2Ffiles%2Fa`);
      expect([answer.headers['cache-control'], answer.body]).toEqual(['no-store', undefined]);
    },
  );

  it('redirect to no other site when the sign-in cannot start', async () => {
    service.failure = new IdentityProviderUnavailable();
    const page = { 'sec-fetch-mode': 'navigate' };
    const { headers } = await call('GET', '/auth/sign-in?return_to=//evil.example', page);
    expect(headers.location).toBe('/login?error=unavailable&return_to=%2F');
  });

  it('open a session and redirect to the return path', async () => {
    const { status, headers, set } = await completeSignIn('code=c', '/files/a%20b?x=1');
    expect(status).toBe(303);
    expect(headers.location).toBe('/files/a%20b?x=1');
    expect(headers['cache-control']).toBe('no-store');
    const [attempt, session] = set;
    expect(attempt).toMatchObject({ value: '', maxAge: 0 });
    expect(session).toMatchObject({ name: SESSION, httpOnly: true, secure: true, sameSite: 'Lax', path: '/' });
    expect(session?.value).toMatch(/^[\w-]{8}\.[\w-]{16}\.[\w-]{79}$/);
  });

  it('redeem no code for a HEAD request', async () => {
    const redirect = await call('GET', '/auth/sign-in?return_to=/files');
    const state = new URL(String(redirect.headers.location)).searchParams.get('state') ?? '';
    const look = await call('HEAD', `/auth/callback?code=c&state=${state}`, {}, redirect.jar);
    expect([look.status, look.headers['allow'], look.set]).toEqual([405, 'GET', []]);
    expect(service.redeemed).toEqual([]);
    expect((await call('GET', `/auth/callback?code=c&state=${state}`, {}, redirect.jar)).headers.location).toBe(
      '/files',
    );
  });

  it('redeem the code at the configured public URL regardless of the Host header', async () => {
    await completeSignIn('code=c%26d');
    expect(service.redeemed[0]?.href).toMatch(/^https:\/\/homeport\.example\/auth\/callback\?code=c%26d&state=/);
  });

  it.each(['', '?code=c', '?code=c&state=forged'])(
    'restart the sign-in for the query %j without an attempt',
    async (query) => {
      const { status, headers, set } = await call('GET', `/auth/callback${query}`);
      expect([status, headers.location, set]).toEqual([303, '/login?error=expired&return_to=%2F', []]);
      expect(service.redeemed).toEqual([]);
    },
  );

  it.each([
    { query: 'error=access_denied', Failure: GrantRefused, reason: 'access_denied' },
    { query: 'error=server_error', Failure: GrantRefused, reason: 'refused' },
    { query: 'code=c', Failure: GrantRefused, reason: 'refused' },
    { query: 'code=c', Failure: IdentityProviderUnavailable, reason: 'unavailable' },
    { query: 'code=c', Failure: TypeError, reason: 'unavailable' },
  ])('redirect to the sign-in page with $reason after $query and $Failure.name', async (given) => {
    const { query, reason } = given;
    const failure = new given.Failure();
    const { status, headers, set } = await completeSignIn(query, '/files/a', () => (service.failure = failure));
    expect([status, headers.location]).toEqual([303, `/login?error=${reason}&return_to=%2Ffiles%2Fa`]);
    expect(set.map(({ name, value }) => [name.slice(0, 22), value])).toEqual([['__Host-homeport_signin', '']]);
  });

  it('end the previous session of this browser', async () => {
    const before = await completeSignIn('code=c');
    const after = await completeSignIn('code=d', '/', undefined, before.jar);
    expect((await call('GET', '/auth/session', SAME_ORIGIN, before.jar)).status).toBe(401);
    expect((await call('GET', '/auth/session', SAME_ORIGIN, after.jar)).status).toBe(200);
  });

  it('complete the sign-in when old sessions cannot be removed', async () => {
    store.removeIdle = () => Promise.reject(new DatabaseUnavailable());
    const { status, headers, jar } = await completeSignIn('code=c');
    expect([status, headers.location]).toEqual([303, '/files/a']);
    expect((await call('GET', '/auth/session', SAME_ORIGIN, jar)).status).toBe(200);
    expect(service.revoked).toEqual([]);
  });

  it('report a failed sign-in when the session cannot be stored', async () => {
    store.add = () => Promise.reject(new DatabaseUnavailable());
    const { status, headers, jar } = await completeSignIn('code=c');
    expect([status, headers.location]).toEqual([303, '/login?error=unavailable&return_to=%2Ffiles%2Fa']);
    expect(jar[SESSION]).toBeUndefined();
    expect(service.revoked).toEqual(['refresh-0']);
  });

  it('return the token to same-origin pages', async () => {
    const { jar } = await completeSignIn('code=c');
    const { status, body, headers } = await call('GET', '/auth/session', SAME_ORIGIN, jar);
    expect(status).toBe(200);
    expect(body).toEqual({
      access_token: 'access-0',
      expires_at: expect.any(String),
      user: { sub: 'person-1', organization: 'org-1' },
    });
    expect(headers['cache-control']).toBe('no-store');
  });

  it.each(['GET /auth/session', 'POST /auth/sign-out'])('refuse %s from other origins', async (route) => {
    const { jar } = await completeSignIn('code=c');
    const [method, url] = route.split(' ') as ['GET' | 'POST', string];
    for (const site of ['cross-site', 'same-site', 'none', '', 'Same-Origin']) {
      const { status, body, headers } = await call(method, url, { 'sec-fetch-site': site }, jar);
      expect([status, body?.['code']]).toEqual([403, 'identity.cross-origin-refused']);
      expect(headers['clear-site-data']).toBeUndefined();
    }
    expect((await call(method, url, {}, jar)).status).toBe(403);
    expect((await call('GET', '/auth/session', SAME_ORIGIN, jar)).status).toBe(200);
  });

  it('answer 401 without a session and clear the cookie of an ended one', async () => {
    const none = await call('GET', '/auth/session', SAME_ORIGIN);
    expect([none.status, none.body?.['code'], none.set]).toEqual([401, 'identity.unauthenticated', []]);
    expect(none.headers['www-authenticate']).toBe('Bearer');
    const dead = await call('GET', '/auth/session', SAME_ORIGIN, { [SESSION]: 'unheard-of' });
    expect([dead.status, dead.body?.['code']]).toEqual([401, 'identity.unauthenticated']);
    expect(dead.set).toEqual([expect.objectContaining({ name: SESSION, value: '', maxAge: 0 })]);
    expect(dead.headers['cache-control']).toBe('no-store');
  });

  it('query no session for a cookie that this server did not seal', async () => {
    const { jar } = await completeSignIn('code=c');
    const sealed = String(jar[SESSION]);
    const find = jest.spyOn(store, 'find');
    const remove = jest.spyOn(store, 'remove');
    const cutShort = sealed.slice(0, -1);
    const [key, nonce, body] = sealed.split('.') as [string, string, string];
    const attempt = Object.values((await call('GET', '/auth/sign-in?provider=corp')).jar)[0] as string;
    const madeUp = [
      'x',
      'a'.repeat(43),
      cutShort,
      `${key}.${nonce}.${'A'.repeat(body.length)}`,
      `${sealed}.x`,
      attempt,
    ];
    for (const cookie of madeUp) {
      const cookies = { [SESSION]: cookie };
      expect((await call('GET', '/auth/session', SAME_ORIGIN, cookies)).status).toBe(401);
      expect((await call('GET', '/auth/sessions', SAME_ORIGIN, cookies)).status).toBe(401);
      expect((await call('DELETE', '/auth/sessions/x', SAME_ORIGIN, cookies)).status).toBe(401);
      expect((await call('POST', '/auth/sign-out', SAME_ORIGIN, cookies)).status).toBe(204);
    }
    expect([find.mock.calls, remove.mock.calls]).toEqual([[], []]);
    expect((await call('GET', '/auth/session', SAME_ORIGIN, jar)).status).toBe(200);
    expect(find).toHaveBeenCalledTimes(1);
  });

  it('answer 503 and keep the cookie while the identity service is unavailable', async () => {
    service.lifetimeMs = 1_000;
    const { jar } = await completeSignIn('code=c');
    service.failure = new IdentityProviderUnavailable();
    const { status, body, set } = await call('GET', '/auth/session', SAME_ORIGIN, jar);
    expect([status, body?.['code'], set]).toEqual([503, 'identity.service-unavailable', []]);
    service.failure = undefined;
    expect((await call('GET', '/auth/session', SAME_ORIGIN, jar)).status).toBe(200);
  });

  it('return a new token in place of one that the API refused', async () => {
    const { jar } = await completeSignIn('code=c');
    const [refused, other] = ['access-0', 'other'].map((token) => ({
      ...SAME_ORIGIN,
      'x-refused-token': createHash('sha256').update(token).digest('base64url'),
    }));
    const tokenWith = async (headers = {}) => (await call('GET', '/auth/session', headers, jar)).body?.['access_token'];
    expect(await tokenWith(other)).toBe('access-0');
    expect(await tokenWith(refused)).toBe('access-1');
    expect(await tokenWith(refused)).toBe('access-1');
    service.failure = new IdentityProviderUnavailable();
    const again = { ...SAME_ORIGIN, 'x-refused-token': createHash('sha256').update('access-1').digest('base64url') };
    expect((await call('GET', '/auth/session', again, jar)).status).toBe(503);
    service.failure = new GrantRefused();
    expect((await call('GET', '/auth/session', again, jar)).status).toBe(401);
  });

  it('end the session and revoke its grant', async () => {
    const { jar } = await completeSignIn('code=c');
    const out = await call('POST', '/auth/sign-out', SAME_ORIGIN, jar);
    expect([out.status, out.body]).toEqual([204, undefined]);
    expect(out.set[0]).toMatchObject({ name: SESSION, value: '', maxAge: 0 });
    expect(out.headers['clear-site-data']).toBe('"cache", "storage"');
    expect(service.revoked).toEqual(['refresh-0']);
    expect((await call('GET', '/auth/session', SAME_ORIGIN, jar)).status).toBe(401);
  });

  it('force the login page after a sign-out until the next sign-in', async () => {
    const { jar } = await completeSignIn('code=c');
    const out = await call('POST', '/auth/sign-out', SAME_ORIGIN, jar);
    expect(out.set[1]).toMatchObject({ httpOnly: true, secure: true, sameSite: 'Lax', path: '/', maxAge: 2_592_000 });
    const redirect = await call('GET', '/auth/sign-in?provider=corp', {}, out.jar);
    expect(new URL(String(redirect.headers.location)).searchParams.get('prompt')).toBe('login');
    const back = await completeSignIn('code=d');
    expect(back.set.slice(2)).toEqual([expect.objectContaining({ name: out.set[1]?.name, value: '', maxAge: 0 })]);
  });

  it('force the login page when a signed-in person signs in again', async () => {
    const { jar } = await completeSignIn('code=c');
    const session = { [SESSION]: String(jar[SESSION]) };
    const redirect = await call('GET', '/auth/sign-in?provider=corp', {}, session);
    expect(new URL(String(redirect.headers.location)).searchParams.get('prompt')).toBe('login');
  });

  it('do not force the login page after a session expired', async () => {
    const dead = await call('GET', '/auth/session', SAME_ORIGIN, { [SESSION]: 'unheard-of' });
    expect(dead.set).toHaveLength(1);
    expect(dead.headers['clear-site-data']).toBe('"cache"');
    const redirect = await call('GET', '/auth/sign-in?provider=corp');
    expect(new URL(String(redirect.headers.location)).searchParams.get('prompt')).toBeNull();
  });

  it('keep the cookie when the session could not be ended', async () => {
    const { jar } = await completeSignIn('code=c');
    const { remove } = store;
    store.remove = () => Promise.reject(new DatabaseUnavailable());
    const out = await call('POST', '/auth/sign-out', SAME_ORIGIN, jar);
    expect([out.status, out.set, out.headers['clear-site-data']]).toEqual([503, [], undefined]);
    store.remove = remove;
    expect((await call('POST', '/auth/sign-out', SAME_ORIGIN, jar)).status).toBe(204);
    expect((await call('GET', '/auth/session', SAME_ORIGIN, jar)).status).toBe(401);
  });

  it('accept a sign-out without a session', async () => {
    expect((await call('POST', '/auth/sign-out', SAME_ORIGIN)).status).toBe(204);
    expect(service.revoked).toEqual([]);
  });
});

describe('the list of sessions', () => {
  beforeEach(async () => {
    service = new FakeIdentityProvider();
    store = new InMemorySessionStore();
    await start(new BrowserSignIn([], service, store));
  });

  interface Listed {
    items: { id: string; device: string; created_at: string; last_used_at: string; current: boolean }[];
  }
  const listed = async (jar: Cookies) => {
    const { status, body } = await call('GET', '/auth/sessions', SAME_ORIGIN, jar);
    return { status, items: (body as unknown as Listed).items };
  };

  it('shows all sessions, marks the current one and exposes no secret', async () => {
    const [here, there] = [await completeSignIn('code=c'), await completeSignIn('code=d')];
    const { status, items } = await listed(here.jar);
    expect(status).toBe(200);
    expect(items.map(({ current }) => current).toSorted()).toEqual([false, true]);
    expect(items[0]).toMatchObject({ device: 'lightMyRequest', created_at: expect.stringMatching(/Z$/) });
    expect(JSON.stringify(items)).not.toContain(here.jar[SESSION]);
    expect(JSON.stringify(items)).not.toContain(there.jar[SESSION]);
  });

  it('ends another session and its grant', async () => {
    const [here, there] = [await completeSignIn('code=c'), await completeSignIn('code=d')];
    const other = (await listed(here.jar)).items.find(({ current }) => !current);
    expect((await call('DELETE', `/auth/sessions/${other?.id}`, SAME_ORIGIN, here.jar)).status).toBe(204);
    expect((await call('DELETE', `/auth/sessions/${other?.id}`, SAME_ORIGIN, here.jar)).status).toBe(204);
    expect(service.revoked).toEqual(['refresh-0']);
    expect((await call('GET', '/auth/session', SAME_ORIGIN, there.jar)).status).toBe(401);
    expect((await listed(here.jar)).items).toHaveLength(1);
  });

  it('ends all sessions, revokes their grants and clears the browser', async () => {
    const [here, there] = [await completeSignIn('code=c'), await completeSignIn('code=d')];
    const out = await call('DELETE', '/auth/sessions', SAME_ORIGIN, here.jar);
    expect([out.status, out.headers['cache-control']]).toEqual([204, 'no-store']);
    expect(out.headers['clear-site-data']).toBe('"cache", "storage"');
    expect(out.set).toContainEqual(expect.objectContaining({ name: SESSION, value: '', maxAge: 0 }));
    expect(service.revoked).toEqual(['refresh-0', 'refresh-0']);
    for (const { jar } of [here, there])
      expect((await call('GET', '/auth/session', SAME_ORIGIN, jar)).status).toBe(401);
  });

  it('keeps the cookie when the sessions could not be ended', async () => {
    const { jar } = await completeSignIn('code=c');
    store.removeBySubject = () => Promise.reject(new DatabaseUnavailable());
    const out = await call('DELETE', '/auth/sessions', SAME_ORIGIN, jar);
    expect([out.status, out.set, out.headers['clear-site-data']]).toEqual([503, [], undefined]);
    expect((await call('GET', '/auth/session', SAME_ORIGIN, jar)).status).toBe(200);
  });

  it('requires a same-origin page and a session', async () => {
    const { jar } = await completeSignIn('code=c');
    for (const [method, url] of [
      ['GET', '/auth/sessions'],
      ['DELETE', '/auth/sessions'],
      ['DELETE', '/auth/sessions/x'],
    ] as const) {
      expect((await call(method, url, SAME_ORIGIN)).status).toBe(401);
      expect((await call(method, url, { 'sec-fetch-site': 'cross-site' }, jar)).status).toBe(403);
      expect((await call(method, url, {}, jar)).status).toBe(403);
    }
  });
});

describe('the sign-in pages where sign-in is not configured', () => {
  beforeEach(() => start(undefined));

  it('list no providers', async () => {
    const { status, body } = await call('GET', '/auth/providers');
    expect([status, body]).toEqual([200, []]);
  });

  it.each([
    'GET /auth/sign-in',
    'GET /auth/callback',
    'GET /auth/session',
    'GET /auth/sessions',
    'DELETE /auth/sessions',
    'DELETE /auth/sessions/x',
    'POST /auth/sign-out',
  ])('answer 404 to %s', async (route) => {
    const [method, url] = route.split(' ') as ['GET' | 'POST' | 'DELETE', string];
    const jars: Cookies[] = [{}, { [SESSION]: 'unheard-of' }];
    for (const jar of jars) {
      const { status, body } = await call(method, url, SAME_ORIGIN, jar);
      expect([status, body?.['code']]).toEqual([404, 'identity.sign-in-disabled']);
    }
  });
});
