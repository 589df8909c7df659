import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { BrowserSignIn } from '../../application/browser-sign-in';
import { guardedApp, type GuardedAppOptions } from '../../testing/guarded-app';
import { FakeClock } from '../../testing/fake-clock';
import { FakeIdentityProvider } from '../../testing/fake-identity-provider';
import { TestIssuer } from '../../testing/test-issuer';
import { InMemorySessionStore } from '../memory/in-memory-session-store';
import { JwksKeySet } from '../jwks/jwks-key-set';

let issuer: TestIssuer;
let app: NestFastifyApplication | undefined;

beforeAll(async () => {
  issuer = await TestIssuer.start();
});

afterAll(() => issuer.stop());

afterEach(async () => {
  await app?.close();
  app = undefined;
});

async function start(limits: Omit<GuardedAppOptions, 'rules' | 'keySet'>): Promise<void> {
  const keySet = new JwksKeySet({ jwksUri: async () => issuer.jwksUri });
  app = await guardedApp({ rules: issuer.rules(), keySet, ...limits });
}

interface Caller {
  readonly token?: string;
  readonly from?: string;
  readonly forwardedFor?: string;
}

async function call(url: string, { token, from = '203.0.113.1', forwardedFor }: Caller = {}) {
  const answer = await app!.inject({
    url,
    remoteAddress: from,
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(forwardedFor === undefined ? {} : { 'x-forwarded-for': forwardedFor }),
    },
  });
  return { status: answer.statusCode, headers: answer.headers, body: answer.json<Record<string, unknown>>() };
}

/** Sends `count` calls at once and counts the statuses of the responses. */
async function statusesOf(count: number, make: (i: number) => ReturnType<typeof call>) {
  const answers = await Promise.all(Array.from({ length: count }, (_, i) => make(i)));
  return Object.fromEntries(
    [...new Set(answers.map(({ status }) => status))].map((status) => [
      status,
      answers.filter((answer) => answer.status === status).length,
    ]),
  );
}

describe('the rate limit per person', () => {
  it('admits exactly the limit of 1,000 concurrent requests from many addresses', async () => {
    await start({ perUser: 100 });
    const [ada, ben] = [await issuer.token({ sub: 'ada' }), await issuer.token({ sub: 'ben' })];
    expect(await statusesOf(1_000, (i) => call('/person', { token: ada, from: `203.0.113.${i % 250}` }))).toEqual({
      200: 100,
      429: 900,
    });
    expect((await call('/person', { token: ben })).status).toBe(200);
  });

  it('is shared by all tokens of the person', async () => {
    await start({ perUser: 2 });
    const tokens = await Promise.all([1, 2, 3].map((jti) => issuer.token({ jti })));
    const statuses = [];
    for (const token of tokens) statuses.push((await call('/person', { token })).status);
    expect(statuses).toEqual([200, 200, 429]);
  });

  it('reports the remaining requests and how long to wait', async () => {
    await start({ perUser: 2 });
    const token = await issuer.token();
    const first = await call('/person', { token });
    expect(first.headers['ratelimit-policy']).toBe('"user";q=2;w=60');
    expect(first.headers['ratelimit']).toMatch(/^"user";r=1;t=\d+$/);
    await call('/person', { token });
    const { status, headers, body } = await call('/person', { token });
    expect([status, body['code']]).toEqual([429, 'platform.rate-limited']);
    expect(headers['content-type']).toContain('application/problem+json');
    expect(headers['retry-after']).toMatch(/^[1-9]\d?$/);
    expect(headers['ratelimit']).toBe(`"user";r=0;t=${String(headers['retry-after'])}`);
    expect(headers['ratelimit-policy']).toBe('"user";q=2;w=60');
  });

  it('counts requests that the policy refuses', async () => {
    await start({ perUser: 1 });
    const token = await issuer.token();
    expect([(await call('/member', { token })).status, (await call('/member', { token })).status]).toEqual([403, 429]);
  });
});

describe('a flood from the address of a signed-in person', () => {
  const SAME_ORIGIN = { 'sec-fetch-site': 'same-origin' };
  let clock: FakeClock;

  /** One browser call from the flooded address or another one. */
  async function visit(
    method: 'GET' | 'POST',
    url: string,
    cookies: Record<string, string> = {},
    from = '203.0.113.1',
  ) {
    const {
      statusCode,
      headers,
      cookies: set,
    } = await app!.inject({
      ...{ method, url, cookies, headers: SAME_ORIGIN, remoteAddress: from },
    });
    return { status: statusCode, headers, jar: Object.fromEntries(set.map(({ name, value }) => [name, value])) };
  }

  async function signIn(): Promise<Record<string, string>> {
    const redirect = await visit('GET', '/auth/sign-in');
    const state = new URL(String(redirect.headers.location)).searchParams.get('state');
    return (await visit('GET', `/auth/callback?code=c&state=${state}`, redirect.jar)).jar;
  }

  beforeEach(async () => {
    clock = new FakeClock();
    const service = new FakeIdentityProvider(clock.now);
    await start({
      ...{ perAddress: 600, perUser: 6_000 },
      signIn: new BrowserSignIn([], service, new InMemorySessionStore(clock.now), clock),
    });
  });

  it('of forged tokens does not block session, renewal, sign-in and sign-out', async () => {
    const jar = await signIn();
    const token = () => call('/person', { token: 'forged' });
    expect(await statusesOf(700, token)).toEqual({ 401: 600, 429: 100 });
    expect((await visit('GET', '/auth/session', jar)).status).toBe(200);
    clock.time += 60 * 60_000;
    expect((await visit('GET', '/auth/session', jar)).status).toBe(200);
    expect((await visit('GET', '/auth/sessions', await signIn())).status).toBe(200);
    expect((await visit('POST', '/auth/sign-out', jar)).status).toBe(204);
    expect((await visit('GET', '/auth/session', jar)).status).toBe(401);
  });

  it('of public calls and forged cookies does not block session and sign-out', async () => {
    const jar = await signIn();
    const forged = { homeport_session: 'unheard-of' };
    for (let i = 0; i < 300; i++) {
      await visit('GET', '/auth/session', forged);
      await visit('GET', '/auth/providers');
    }
    expect((await visit('GET', '/auth/session', forged)).status).toBe(429);
    expect((await visit('GET', '/auth/providers')).status).toBe(429);
    expect((await visit('GET', '/auth/session', forged, '203.0.113.2')).status).toBe(401);
    expect((await visit('GET', '/auth/session', jar)).status).toBe(200);
    expect((await visit('POST', '/auth/sign-out', jar)).status).toBe(204);
    expect((await visit('POST', '/auth/sign-out')).status).toBe(204);
  });
});

describe('the rate limit per address during sign-in', () => {
  it('shows a person a page that keeps the return path, and a program a problem document', async () => {
    const signIn = new BrowserSignIn([], new FakeIdentityProvider(), new InMemorySessionStore());
    await start({ perAddress: 1, signIn });
    const redirect = await app!.inject('/auth/sign-in?return_to=/files');
    const state = new URL(String(redirect.headers.location)).searchParams.get('state');
    const cookies = Object.fromEntries(redirect.cookies.map(({ name, value }) => [name, value]));
    const back = { url: `/auth/callback?code=c&state=${state}`, cookies };
    const page = await app!.inject({ ...back, headers: { 'sec-fetch-mode': 'navigate' } });
    expect([page.statusCode, page.headers.location]).toEqual([303, '/login?error=busy&return_to=%2Ffiles']);
    const again = await app!.inject({ url: '/auth/sign-in?return_to=/files', headers: { accept: 'text/html' } });
    expect([again.statusCode, again.headers.location]).toEqual([303, '/login?error=busy&return_to=%2Ffiles']);
    expect((await app!.inject(back)).statusCode).toBe(429);
  });
});

describe('the rate limit per session', () => {
  it('counts the calls of one session from all addresses and of no other session', async () => {
    const store = new InMemorySessionStore();
    const find = store.find.bind(store);
    let queries = 0;
    store.find = (id) => {
      queries += 1;
      return find(id);
    };
    const signIn = new BrowserSignIn([], new FakeIdentityProvider(), store);
    await start({ perUser: 3, signIn });
    const cookiesOf = (set: readonly { name: string; value: string }[]) =>
      Object.fromEntries(set.map(({ name, value }) => [name, value]));
    const signedIn = async () => {
      const redirect = await app!.inject('/auth/sign-in');
      const state = new URL(String(redirect.headers.location)).searchParams.get('state');
      const back = { url: `/auth/callback?code=c&state=${state}`, cookies: cookiesOf(redirect.cookies) };
      return cookiesOf((await app!.inject(back)).cookies);
    };
    const [one, other] = [await signedIn(), await signedIn()];
    const ask = async (cookies: Record<string, string>, i: number) => {
      const request = { url: '/auth/session', cookies, remoteAddress: `203.0.113.${i}` };
      return (await app!.inject({ ...request, headers: { 'sec-fetch-site': 'same-origin' } })).statusCode;
    };
    expect([await ask(one, 1), await ask(one, 2), await ask(one, 3), await ask(one, 4)]).toEqual([200, 200, 200, 429]);
    expect(queries).toBe(3);
    expect(await ask(other, 1)).toBe(200);
  });
});

describe('the rate limit per address', () => {
  it('counts only requests without a valid token', async () => {
    await start({ perAddress: 100 });
    const token = await issuer.token();
    const mixed = (i: number) => call('/person', i % 2 === 0 ? {} : { token: 'forged' });
    expect(await statusesOf(300, mixed)).toEqual({ 401: 100, 429: 200 });
    expect(await statusesOf(300, () => call('/public'))).toEqual({ 200: 100, 429: 200 });
    expect((await call('/person', { token })).status).toBe(200);
    expect((await call('/public', { from: '203.0.113.2' })).status).toBe(200);
  });

  it('counts no requests while the keys are unavailable', async () => {
    await start({ perAddress: 5 });
    issuer.answer = (_request, response) => response.writeHead(503).end();
    const token = await issuer.token();
    expect(await statusesOf(20, () => call('/person', { token }))).toEqual({ 503: 20 });
    issuer.answer = undefined;
    expect(await statusesOf(20, () => call('/person'))).toEqual({ 401: 5, 429: 15 });
  });

  it('does not count health probes', async () => {
    await start({ perAddress: 1 });
    expect(await statusesOf(20, () => call('/probe'))).toEqual({ 200: 20 });
  });

  it('counts the IPv6 network of one customer as one address', async () => {
    await start({ perAddress: 10 });
    const statuses = await statusesOf(20, (i) => call('/public', { from: `2001:db8::${i.toString(16)}` }));
    expect(statuses).toEqual({ 200: 10, 429: 10 });
  });

  it('ignores X-Forwarded-For of a direct caller', async () => {
    await start({ perAddress: 10 });
    const statuses = await statusesOf(100, (i) => call('/public', { forwardedFor: `198.51.100.${i}` }));
    expect(statuses).toEqual({ 200: 10, 429: 90 });
  });

  it('trusts a configured proxy and uses only the last address that the client cannot forge', async () => {
    await start({ perAddress: 10, trustedProxies: ['10.0.0.0/8'] });
    const through = (i: number) =>
      call('/public', { from: '10.0.0.7', forwardedFor: `192.0.2.${i}, 198.51.100.${i % 2}` });
    expect(await statusesOf(40, through)).toEqual({ 200: 20, 429: 20 });
    const spoofed = (i: number) => call('/public', { from: '203.0.113.9', forwardedFor: `192.0.2.${i}` });
    expect(await statusesOf(40, spoofed)).toEqual({ 200: 10, 429: 30 });
  });

  it('counts ports and invalid addresses from a proxy as the same caller', async () => {
    await start({ perAddress: 10, trustedProxies: ['10.0.0.0/8'] });
    const through = (i: number) => ({
      withPort: () => call('/public', { from: '10.0.0.7', forwardedFor: `198.51.100.1:${1_000 + i}` }),
      nonsense: () => call('/public', { from: '10.0.0.7', forwardedFor: `nobody-${i}` }),
    });
    expect(await statusesOf(30, (i) => through(i).withPort())).toEqual({ 200: 10, 429: 20 });
    expect(await statusesOf(30, (i) => through(i).nonsense())).toEqual({ 200: 10, 429: 20 });
  });

  it('is disabled by 0', async () => {
    await start({ perAddress: 0, perUser: 0 });
    expect(await statusesOf(50, () => call('/public'))).toEqual({ 200: 50 });
    expect((await call('/public')).headers['ratelimit']).toBeUndefined();
  });
});
